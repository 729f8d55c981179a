import * as v from 'valibot';
import { id, serial, text } from '../../core/protocol/atoms.ts';
import { message, nothing } from '../../core/protocol/message.ts';
import { targetSchema } from '../../core/protocol/target.ts';

/** Longest address of a link or a picture, in UTF-16 units; a longer one cannot be used. */
export const MAX_ADDRESS = 4000;
/** Time after a press in which the page has to say what is under the pointer, in ms: a menu that comes later surprises. */
export const MENU_MS = 1500;
/** Largest file of a picture that is saved, in bytes. */
export const MAX_PICTURE_BYTES = 32 * 1024 * 1024;

/** Edits of the page that a menu offers. */
export const EDITS = ['undo', 'redo', 'cut', 'copy', 'paste', 'select-all'] as const;
export type EditItem = (typeof EDITS)[number];

/** All items of menus. */
const ITEMS = [
  ...EDITS,
  ...(['picture-window', 'picture-copy', 'picture-save', 'link-tab', 'link-window', 'link-copy'] as const),
  ...(['back', 'forward', 'reload'] as const),
] as const;
export type Item = (typeof ITEMS)[number];

const item = v.picklist(ITEMS);
const address = text(MAX_ADDRESS);

/** The person asks for a menu in a frame. `press`: the page has got no press of the right button for it, and gets one there. */
export const askMenu = message('context-menu.ask', {
  direction: 'client-to-host',
  lane: 'input',
  params: v.object({ frame: id, press: v.exactOptional(targetSchema) }),
});

/** What is under the pointer, in a page that shows no menu of its own. An empty address: there is one that cannot be used. */
export const menuFound = message('context-menu.found', {
  direction: 'page-to-host',
  lane: 'input',
  params: v.object({
    link: v.exactOptional(address),
    picture: v.exactOptional(address),
    editable: v.boolean(),
    selection: v.boolean(),
    /** Edits that are possible. */
    edits: v.pipe(v.array(v.picklist(EDITS)), v.maxLength(EDITS.length)),
  }),
});
export type Found = v.InferOutput<typeof menuFound.params>;

/** The menu to show. Its addresses are those to copy, empty where there is none. */
export const menuOffered = message('context-menu.offer', {
  direction: 'host-to-client',
  lane: 'input',
  params: v.object({
    id: serial,
    items: v.pipe(v.array(v.object({ item, disabled: v.boolean() })), v.maxLength(ITEMS.length)),
    link: address,
    picture: address,
  }),
});
export type Offer = v.InferOutput<typeof menuOffered.params>;

/** The person has chosen an item of a menu (S-130). `failed`: it is the client's to carry out, and the browser has not let it. */
export const chosen = message('cmcb', {
  direction: 'client-to-host',
  lane: 'input',
  params: v.object({ id: serial, item, failed: v.boolean() }),
});

/** Has a frame download a picture, which is the body, under a name. */
export const savePicture = message('context-menu.save', {
  direction: 'host-to-page',
  lane: 'bulk',
  body: 'bytes',
  maxBytes: MAX_PICTURE_BYTES,
  params: v.object({ name: text(200) }),
  result: nothing,
});

/** The picture could not be saved. */
export const notSaved = message('context-menu.not-saved', {
  direction: 'host-to-client',
  lane: 'feature',
  params: nothing,
});
