import * as v from 'valibot';
import { id, serial, text } from '../../core/protocol/atoms.ts';
import { message, nothing } from '../../core/protocol/message.ts';
import { targetSchema } from '../../core/protocol/target.ts';
import { MAX_ADDRESS, MENU_MS } from './limits.ts';

const item = v.picklist([
  ...(['undo', 'redo', 'cut', 'copy', 'paste', 'select-all'] as const),
  ...(['picture-window', 'picture-copy', 'picture-save', 'link-tab', 'link-window', 'link-copy'] as const),
  ...(['back', 'forward', 'reload'] as const),
]);
/** An item of a menu. */
export type Item = v.InferOutput<typeof item>;

const items = v.pipe(v.array(item), v.maxLength(15));
const address = text(MAX_ADDRESS);

/**
 * The person asks for a menu in a frame. `serial`: counts the presses of a document. `late`: the page has got the press before, and may have
 * answered it. `press`: it has got none of the right button, and gets one there.
 */
export const askMenu = message('context-menu.ask', {
  direction: 'client-to-host',
  lane: 'input',
  params: v.object({ frame: id, serial, late: v.boolean(), press: v.exactOptional(targetSchema) }),
});

/** The facts about the place of the pointer, in a page that shows no menu of its own. An empty address: there is one that cannot be used. */
export const menuFound = message('context-menu.found', {
  direction: 'page-to-host',
  lane: 'input',
  params: v.object({
    /** Time since the press, in ms. */
    age: v.pipe(v.number(), v.minValue(0), v.maxValue(MENU_MS)),
    link: v.exactOptional(address),
    picture: v.exactOptional(address),
    editable: v.boolean(),
    selection: v.boolean(),
    /** Edits that are possible; other items among them count for nothing. */
    edits: items,
  }),
});
export type Found = Omit<v.InferOutput<typeof menuFound.params>, 'age'>;

/** The menu to show for the press of that serial, and those of its items that do not apply. Its addresses are those to copy, empty where there is none. */
export const menuOffered = message('context-menu.offer', {
  direction: 'host-to-client',
  lane: 'input',
  params: v.object({ id: serial, serial, items, disabled: items, link: address, picture: address }),
});
export type Offer = v.InferOutput<typeof menuOffered.params>;

/** The person has chosen an item of a menu (S-130). `failed`: it is the client's to carry out, and the browser has not let it. */
export const chosen = message('cmcb', {
  direction: 'client-to-host',
  lane: 'input',
  params: v.object({ id: serial, item, failed: v.boolean() }),
});

/** The picture could not be saved. */
export const notSaved = message('context-menu.not-saved', {
  direction: 'host-to-client',
  lane: 'feature',
  params: nothing,
});
