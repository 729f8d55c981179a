import type { About } from './frame-speakers.ts';

/** Places in the parameters of CDP's events that say which frame they are about. */
interface FrameNaming {
  readonly frameId?: unknown;
  readonly parentFrameId?: unknown;
  readonly frame?: { readonly id?: unknown; readonly parentId?: unknown } | null;
  readonly header?: { readonly frameId?: unknown } | null;
  readonly context?: { readonly id?: unknown; readonly auxData?: { readonly frameId?: unknown } | null } | null;
}

/**
 * Events that also tell something else, and come on another session than the frame's where nothing is wrong: a dialog of any frame is
 * reported on the page's, a request of a frame that changes its process on either.
 */
const FRAME_IS_DETAIL = /^(?:Network\.|Page\.javascriptDialog)/;
/** Events of the page as a whole, which come on its session only: on another they are made up. */
const OF_PAGE = /^Page\.javascriptDialog/;

/** Whether an event comes on the session of a page only, whichever frame it is about. */
export function isOfPage(event: string): boolean {
  return OF_PAGE.test(event);
}

/** Comes from the session around the frame, too, and is never kept. */
export const FRAME_ENDS = 'Page.frameDetached';

/** The frame that an event of any domain is about; undefined: it names none. */
export function aboutOf(params: object): About | undefined {
  const { frameId, parentFrameId, frame, header, context } = params as FrameNaming; // of every event; each part is checked here
  const cdpId = [frameId, frame?.id, header?.frameId, context?.auxData?.frameId].find(isText);
  const contextId = context?.id;
  return cdpId === undefined
    ? undefined
    : {
        cdpId,
        parent: [parentFrameId, frame?.parentId].find(isText),
        ...(typeof contextId === 'number' && { context: contextId }),
      };
}

/** The event without the frame that it names; undefined: nothing is left of it then. */
export function withoutFrame(event: string, params: object): object | undefined {
  return FRAME_IS_DETAIL.test(event) ? { ...params, frameId: undefined } : undefined;
}

/** Chromium writes `://` for opaque origins. */
export function originOf(securityOrigin: string): string {
  return securityOrigin === '' || securityOrigin === '://' ? 'null' : securityOrigin;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
