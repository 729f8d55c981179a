import * as v from 'valibot';
import { id, px, upTo } from '../../core/protocol/atoms.ts';
import { inputFlags } from '../../core/protocol/input-flags.ts';
import { message, nothing } from '../../core/protocol/message.ts';

/** Buttons of a mouse, by the number that the platform gives them. */
export const BUTTONS = ['left', 'middle', 'right', 'back', 'forward'] as const;

/**
 * Reasons for which a page does not get its lock. `gesture`: the person has done nothing in the page. `exited`: the person has just left.
 * `unsupported`: the person's browser does not have the option, or no lock at all. `denied`: all others.
 */
const REFUSALS = ['gesture', 'exited', 'unsupported', 'denied'] as const;
export type Refusal = (typeof REFUSALS)[number];

const refusal = v.exactOptional(v.picklist(REFUSALS));

/** The page requests a lock in a frame, with a request id that is unique in that frame. `hasGesture`: the person has just acted in it. */
export const pageAsks = message('pointer-lock.page-asks', {
  direction: 'page-to-host',
  lane: 'control',
  params: v.object({ id, unadjusted: v.boolean(), hasGesture: v.boolean() }),
});

/** The outcome of the page's request: granted without a refusal. */
export const pageAnswer = message('pointer-lock.page-answer', {
  direction: 'host-to-page',
  lane: 'control',
  params: v.object({ id, refusal }),
});

/** The page was permitted, but the lock failed: its element was removed, or its frame is not allowed to. */
export const pageFailed = message('pointer-lock.page-failed', {
  direction: 'page-to-host',
  lane: 'control',
  params: v.object({ id }),
});

/** Whether the frame's document has locked the pointer. */
export const pageState = message('pointer-lock.page-state', {
  direction: 'page-to-host',
  lane: 'control',
  params: v.object({ isLocked: v.boolean() }),
});

/** Ends the lock of the frame's document. Answered once it has ended. */
export const pageLeave = message('pointer-lock.page-leave', {
  direction: 'host-to-page',
  lane: 'control',
  params: nothing,
  result: nothing,
});

/** Keeps movement from the page: what comes next is the host's, which brings the pointer to another place. */
export const pageHold = message('pointer-lock.page-hold', {
  direction: 'host-to-page',
  lane: 'control',
  params: nothing,
  result: nothing,
});

/** Lets movement through to the page again. Answers with the place of the pointer in the frame's viewport, as the page has it. */
export const pageSteady = message('pointer-lock.page-steady', {
  direction: 'host-to-page',
  lane: 'control',
  params: nothing,
  result: v.object({ x: px, y: px }),
});

/** Requests a lock of the person's own pointer. `unadjusted`: without the acceleration of the system. */
export const lockRequest = message('pointer-lock.request', {
  direction: 'host-to-client',
  lane: 'control',
  params: v.object({ id, unadjusted: v.boolean() }),
});

/** The page's lock has ended, or its request is cancelled. */
export const lockOver = message('pointer-lock.over', {
  direction: 'host-to-client',
  lane: 'control',
  params: nothing,
});

/** Whether the person's pointer is locked for the request with that id. */
export const lockAnswer = message('pointer-lock.answer', {
  direction: 'client-to-host',
  lane: 'input',
  params: v.object({ id, refusal }),
});

/** The person's browser has ended its lock: by Escape, with the tab, or otherwise. In the lane of input, whose events then have places again. */
export const lockLeft = message('pointer-lock.left', {
  direction: 'client-to-host',
  lane: 'input',
  params: nothing,
});

/** The locked pointer has moved, by the sum of several events. Fields as in `CM-mouse`. */
export const lockMoved = message('pointer-lock.moved', {
  direction: 'client-to-host',
  lane: 'input',
  params: v.object({ movement_x: px, movement_y: px, modifiers: inputFlags }),
});

/** A button was pressed or released under the lock. Fields as in `CM-mouse`. */
export const lockPressed = message('pointer-lock.pressed', {
  direction: 'client-to-host',
  lane: 'input',
  params: v.object({
    type: v.picklist(['down', 'up']),
    button: v.picklist(BUTTONS),
    modifiers: inputFlags,
    click_count: upTo(100),
  }),
});

/** The wheel was turned under the lock, in CSS px. Fields as in `CM-wheel`. */
export const lockTurned = message('pointer-lock.turned', {
  direction: 'client-to-host',
  lane: 'input',
  params: v.object({ delta_x: px, delta_y: px, modifiers: inputFlags }),
});

/**
 * A button that was pressed before the lock has been released, as an event of the view with a place of its own: the pointer of the surrogate
 * is elsewhere since.
 */
export const lockDisplaced = message('pointer-lock.displaced', {
  direction: 'client-to-host',
  lane: 'input',
  params: nothing,
});
