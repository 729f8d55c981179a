/** Whether a platform, as `navigator.platform` names it, is a Mac, an iPhone or an iPad, whose shortcuts go by Command. */
export const isApple = (platform: string): boolean => /mac|iphone|ipad/i.test(platform);
