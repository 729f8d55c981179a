import * as v from 'valibot';
import { extent, finite, id, serial, upTo } from '../../core/protocol/atoms.ts';
import { inputFlags } from '../../core/protocol/input-flags.ts';
import { message } from '../../core/protocol/message.ts';
import { targetSchema } from '../../core/protocol/target.ts';

/** Most fingers that are followed. */
export const MOST_TOUCHES = 16;

/** A finger: its number while it is down, its place, and its size and force as the person's browser has them. */
const touchRecord = v.object({
  id: upTo(MOST_TOUCHES - 1),
  target: targetSchema,
  radius_x: extent,
  radius_y: extent,
  force: v.pipe(finite, v.minValue(0), v.maxValue(1)),
});

/**
 * Fingers that have come down, moved or come up in a frame. `event_id` is the number of the gesture, from the first finger that comes
 * down to the last one that comes up. The phase `cancel` ends the gesture; `hold` says that the view has answered a finger that rests, so that its
 * release is no tap.
 */
export const touch = message('CM-touch', {
  direction: 'client-to-host',
  lane: 'input',
  params: v.object({
    frame: id,
    phase: v.picklist(['start', 'move', 'end', 'cancel', 'hold']),
    event_id: serial,
    touches: v.pipe(v.array(touchRecord), v.maxLength(MOST_TOUCHES)),
    modifiers: inputFlags,
  }),
});

/** The view scrolls or zooms with the fingers that are down, as the page's own browser would. */
export const panned = message('touch.panned', {
  direction: 'client-to-host',
  lane: 'input',
  params: v.object({ frame: id, event_id: serial }),
});

/** Whether the page has kept the last movement of a gesture for itself, so that the view does not scroll with it. */
export const answered = message('touch.answered', {
  direction: 'host-to-client',
  params: v.object({ event_id: serial, is_kept: v.boolean() }),
});

/** The same, of the gesture that goes on in the page. */
export const pageAnswered = message('touch.page-answered', {
  direction: 'page-to-host',
  params: v.object({ is_kept: v.boolean() }),
});

/** The page's pointers end, as they do where its browser scrolls with them; with `hold` the next release is no tap. */
export const pageGesture = message('touch.page-gesture', {
  direction: 'host-to-page',
  params: v.object({ kind: v.picklist(['pan', 'hold']) }),
});

/** Whether listeners of a frame's document may keep gestures for themselves: the view waits for its answers, and for those of no other. */
export const blocking = message('touch.blocking', {
  direction: 'host-to-client',
  params: v.object({ frame: id, is_blocking: v.boolean() }),
});

/** The same, of the document that sends it: `false` when it begins. */
export const pageBlocking = message('touch.page-blocking', {
  direction: 'page-to-host',
  params: v.object({ is_blocking: v.boolean() }),
});
