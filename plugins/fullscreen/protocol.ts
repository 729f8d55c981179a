import * as v from 'valibot';
import { id, integer, text } from '../../core/protocol/atoms.ts';
import { message, nothing } from '../../core/protocol/message.ts';

/** The page asks, in a frame, under a number of that frame's own. */
export const pageAsks = message('fullscreen.page-asks', {
  direction: 'page-to-host',
  lane: 'control',
  params: v.object({ id }),
});

/** What has become of what the page asked for. */
export const pageAnswer = message('fullscreen.page-answer', {
  direction: 'host-to-page',
  lane: 'control',
  params: v.object({ id, granted: v.boolean() }),
});

/** The page was let in and has not got there: its element has gone, or may not. */
export const pageFailed = message('fullscreen.page-failed', {
  direction: 'page-to-host',
  lane: 'control',
  params: v.object({ id }),
});

/** Whether the frame's document has an element in full screen; which, as the mirror knows it after the batch `seq` (0: not at all). */
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

/** The frame's document is to leave full screen. */
export const pageLeave = message('fullscreen.page-leave', {
  direction: 'host-to-page',
  lane: 'control',
  params: nothing,
});

/** The page of a site asks to fill the person's screen. */
export const fullscreenRequest = message('fullscreen.request', {
  direction: 'host-to-client',
  lane: 'control',
  params: v.object({ id, site: text(300) }),
});

/** The page shows this element in full screen now. It comes after the batch of the mirror that has it. */
export const fullscreenShown = message('fullscreen.shown', {
  direction: 'host-to-client',
  lane: 'control',
  params: v.object({ frame: id, epoch: integer, node: id }),
});

/** Full screen is over for the page, and what it has asked for and was not answered is not asked any more. */
export const fullscreenOver = message('fullscreen.over', {
  direction: 'host-to-client',
  lane: 'control',
  params: nothing,
});

/**
 * What the person's browser does: the answer to the request of that number; without one, the person has left by Escape, or
 * otherwise.
 */
export const fullscreen = message('fullscreen', {
  direction: 'client-to-host',
  lane: 'control',
  params: v.object({ id: v.exactOptional(id), is_fullscreen: v.boolean() }),
});
