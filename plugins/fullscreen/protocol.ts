import * as v from 'valibot';
import { id, integer, text } from '../../core/protocol/atoms.ts';
import { message, nothing } from '../../core/protocol/message.ts';

/** The page requests full screen in a frame, with a request id that is unique in that frame. */
export const pageAsks = message('fullscreen.page-asks', {
  direction: 'page-to-host',
  lane: 'control',
  params: v.object({ id }),
});

/** The outcome of the page's request. */
export const pageAnswer = message('fullscreen.page-answer', {
  direction: 'host-to-page',
  lane: 'control',
  params: v.object({ id, granted: v.boolean() }),
});

/** The page was permitted, but full screen failed: its element was removed, or is not allowed. */
export const pageFailed = message('fullscreen.page-failed', {
  direction: 'page-to-host',
  lane: 'control',
  params: v.object({ id }),
});

/** Whether the frame's document has a full screen element, and which, as the mirror knows it after the batch `seq` (0: not at all). */
export const pageState = message('fullscreen.page-state', {
  direction: 'page-to-host',
  lane: 'control',
  params: v.object({
    isFull: v.boolean(),
    node: id,
    epoch: integer,
    seq: id,
  }),
});

/** Asks the frame's document to leave full screen. */
export const pageLeave = message('fullscreen.page-leave', {
  direction: 'host-to-page',
  lane: 'control',
  params: nothing,
});

/** The page of a site requests full screen. */
export const fullscreenRequest = message('fullscreen.request', {
  direction: 'host-to-client',
  lane: 'control',
  params: v.object({ id, site: text(300) }),
});

/** The page's current full screen element. Sent after the batch of the mirror that contains it. */
export const fullscreenShown = message('fullscreen.shown', {
  direction: 'host-to-client',
  lane: 'control',
  params: v.object({ frame: id, epoch: integer, node: id }),
});

/** The page has left full screen. Its unanswered requests are cancelled. */
export const fullscreenOver = message('fullscreen.over', {
  direction: 'host-to-client',
  lane: 'control',
  params: nothing,
});

/**
 * State of the person's browser: the answer to the request with that id. Without an id, the person has left full screen with Escape
 * or otherwise.
 */
export const fullscreen = message('fullscreen', {
  direction: 'client-to-host',
  lane: 'control',
  params: v.object({ id: v.exactOptional(id), is_fullscreen: v.boolean() }),
});
