import * as v from 'valibot';
import { id, integer, serial, text, upTo } from '../../core/protocol/atoms.ts';
import { inputFlags } from '../../core/protocol/input-flags.ts';
import { message, nothing } from '../../core/protocol/message.ts';
import { targetSchema } from '../../core/protocol/target.ts';

/** Longest text of a composition, in UTF-16 units: a dictated paragraph. */
export const MOST_COMPOSED = 10_000;
/** Longest text that comes whole, in UTF-16 units. */
export const MOST_TEXT = 100_000;
/** Most UTF-16 units on either side of the caret that a composition takes the place of. */
const MOST_REPLACED = 20_000;
/** Most patches of an edit, and UTF-16 units of the text on either side of one. */
export const MOST_PATCHES = 32;
const MOST_CONTEXT = 32;
/** Time for which an input method counts as active after its last event, in ms (M-108). */
export const ACTIVE_MS = 500;

/** Text around the page's selection that goes as well, in UTF-16 units on either side; negative: less than what is selected. */
const around = v.pipe(integer, v.minValue(-MOST_REPLACED), v.maxValue(MOST_REPLACED));
const replaced = v.exactOptional(v.object({ before: around, after: around }));
export type Replaced = NonNullable<v.InferOutput<typeof replaced>>;

/**
 * An input method composes: `start`; `update` with the whole text and the selection in it, the first one also with what it takes
 * the place of; `end` with the text that stays, empty where it was given up.
 */
export const composition = message('composition', {
  direction: 'client-to-host',
  lane: 'input',
  params: v.object({
    frame: id,
    composition: serial,
    state: v.picklist(['start', 'update', 'end']),
    text: text(MOST_COMPOSED),
    start: upTo(MOST_COMPOSED),
    end: upTo(MOST_COMPOSED),
    replaced,
  }),
});

/** The key that ended a composition is up, or the input method is not active any more (S-078): the composition must be over in the page, too. */
export const notice = message('composition.notice', {
  direction: 'client-to-host',
  lane: 'input',
  params: v.object({ frame: id, composition: serial }),
});

/** Comes after the page's answer to a composition: the view shows the page's text again. */
export const settled = message('composition.settled', {
  direction: 'host-to-client',
  params: v.object({ composition: serial }),
});

/** The page has ended a composition by itself, or it has taken too long: the view ends it, too. */
export const over = message('composition.over', {
  direction: 'host-to-client',
  params: v.object({ composition: serial }),
});

/** A key that an input method has taken, or that comes up while it composes. */
export const key = message('composition.key', {
  direction: 'client-to-host',
  lane: 'input',
  params: v.object({
    type: v.picklist(['down', 'up']),
    key: text(50),
    code: text(50),
    key_code: upTo(65_535),
    location: upTo(3),
    repeat: v.boolean(),
    modifiers: inputFlags,
  }),
});

/** Text without a composition and without a key: an emoji picker, dictation, an input method that does not compose. */
export const insertion = message('composition.text', {
  direction: 'client-to-host',
  lane: 'input',
  params: v.object({ frame: id, text: text(MOST_TEXT), replaced }),
});

/** Edits that come without a key of their own, as from keyboards on a screen, by the name of the page's `beforeinput` event. */
const EDITS = [
  'deleteContentBackward',
  'deleteContentForward',
  'deleteWordBackward',
  'deleteWordForward',
  'deleteSoftLineBackward',
  'deleteSoftLineForward',
  'deleteHardLineBackward',
  'deleteHardLineForward',
  'insertLineBreak',
  'insertParagraph',
  'historyUndo',
  'historyRedo',
] as const;
export type EditType = (typeof EDITS)[number];
/** Whether an edit of this type is forwarded. */
export const isEdit = (type: string): type is EditType => (EDITS as readonly string[]).includes(type);

/** An edit without a key. */
export const edit = message('composition.edit', {
  direction: 'client-to-host',
  lane: 'input',
  params: v.object({ frame: id, type: v.picklist(EDITS), replaced }),
});

const patchSchema = v.object({
  at: upTo(MOST_TEXT),
  before: text(MOST_CONTEXT),
  old: text(MOST_TEXT),
  text: text(MOST_TEXT),
  after: text(MOST_CONTEXT),
});
/**
 * One place of an edited text: `text` takes the place of `old` between `before` and `after`. `at` is where `before` begins, in UTF-16 units,
 * once the patches before this one are applied.
 */
export type Patch = v.InferOutput<typeof patchSchema>;

const patchesSchema = v.pipe(
  v.array(patchSchema),
  v.minLength(1),
  v.maxLength(MOST_PATCHES),
  v.check((all) => all.reduce((sum, { old, text: by }) => sum + old.length + by.length, 0) <= 2 * MOST_TEXT),
);
const textEdit = v.object({ edit: serial, target: targetSchema, patches: patchesSchema });
export type TextEdit = v.InferOutput<typeof textEdit>;

/** The person's browser has replaced text of a control without a key: what has changed of the text that the person saw (M-078). */
export const edtx = message('edtx', { direction: 'client-to-host', lane: 'input', params: textEdit });

/** The same in rich text; the target is the element whose content is edited. */
export const ednt = message('ednt', { direction: 'client-to-host', lane: 'input', params: textEdit });

/** The page has this edit, or does not have such text any more: the view shows the page's text again. */
export const patched = message('composition.patched', {
  direction: 'host-to-client',
  params: v.object({ edit: serial }),
});

/**
 * Finds in the page what a patch replaces, and selects it. `shift`: how much further on the last patch was found than it says. Answers the same
 * of this one; null where there is no such text, or it is not what is edited.
 */
export const pagePatch = message('composition.page-patch', {
  direction: 'host-to-page',
  params: v.object({ target: targetSchema, patch: patchSchema, shift: integer }),
  result: v.object({ shift: v.nullable(integer) }),
});

/** The text is replaced: the caret goes to where it was in the text. */
export const pageCaret = message('composition.page-caret', {
  direction: 'host-to-page',
  params: nothing,
  result: nothing,
});

/** Selects more, or less, around the selection of the page. */
export const pageSelect = message('composition.page-select', {
  direction: 'host-to-page',
  params: v.object({ before: around, after: around }),
  result: v.object({ isDone: v.boolean() }),
});

/** Asks whether the page composes, and, once it has written all its changes, for the last batch of the mirror. */
export const pageState = message('composition.page-state', {
  direction: 'host-to-page',
  params: v.object({ isFlushed: v.boolean() }),
  result: v.object({ isComposing: v.boolean(), epoch: integer, seq: id }),
});

/** The page has ended what was composed in it, or has replaced the text. */
export const pageEnded = message('composition.page-ended', { direction: 'page-to-host', params: nothing });
