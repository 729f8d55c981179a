/** Features of the tab or window of a link; only with a size do browsers open a window and no tab. */
export const LINK_FEATURES = { tab: 'noopener', window: 'noopener,popup,width=1024,height=768' } as const;
