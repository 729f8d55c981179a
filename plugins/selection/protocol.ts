import * as v from 'valibot';
import { id, integer, serial } from '../../core/protocol/atoms.ts';
import { message } from '../../core/protocol/message.ts';

const place = { epoch: integer };
/** A selection (S-044), by the ids of the mirror in that epoch. Offsets count UTF-16 units in a text, children elsewhere. */
const selected = v.variant('mode', [
  /** In a text control. */
  v.object({ mode: v.literal('input'), ...place, uid: serial, selection_start: id, selection_end: id }),
  /** Between two points of the document; `active_element` has the focus, or 0. */
  v.object({
    mode: v.literal('range'),
    ...place,
    start_container: serial,
    end_container: serial,
    start_offset: id,
    end_offset: id,
    active_element: id,
    /** The person has selected from the end to the start. */
    is_backward: v.boolean(),
  }),
  /** Nothing, but that there is a place in the text where the next selection begins. */
  v.object({ mode: v.literal('clear'), ...place }),
  /** Nothing at all. */
  v.object({ mode: v.literal('clearselection'), ...place }),
]);
export type Selected = v.InferOutput<typeof selected>;

/** Why the page does not have a selection: its node or place has gone, another element has the focus, or there is no page. */
const why = v.picklist(['', 'epoch', 'node', 'offset', 'focus', 'frame']);
export type Why = v.InferOutput<typeof why>;

/** The person's selection in a frame of the view. Answers why the page has not got it; with an empty text it has. */
export const selection = message('selection', {
  direction: 'client-to-host',
  lane: 'input',
  params: v.object({ frame: id, selected }),
  result: v.object({ why }),
});

/** Selects in a frame of the page. */
export const pageSelection = message('selection.page', {
  direction: 'host-to-page',
  params: v.object({ selected }),
  result: v.object({ why }),
});
