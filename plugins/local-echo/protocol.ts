import * as v from 'valibot';
import { id, integer, serial, upTo } from '../../core/protocol/atoms.ts';
import { message } from '../../core/protocol/message.ts';
import { targetSchema } from '../../core/protocol/target.ts';

/** Longest text that is compared, in UTF-16 units. */
const MOST_UNITS = 1_000_000;

const position = { epoch: integer, seq: id };
/** Length and hash of a text, as {@link digestOf} makes them. */
const digest = { length: upTo(MOST_UNITS), hash: upTo(0xffffffff) };

/**
 * Asks for an answer once the page has handled all that the person has done up to act `seq`. `isRich`: in rich text, whose editors change it some
 * time after a key. `is_exact`: later input of the person waits for the answer. `echoed` and `wrong` are counts since the last one.
 */
export const editorSeq = message('editor-seq', {
  direction: 'client-to-host',
  lane: 'input',
  params: v.object({
    frame: id,
    seq: serial,
    isRich: v.boolean(),
    is_exact: v.boolean(),
    echoed: upTo(10_000),
    wrong: upTo(10_000),
  }),
});

/** The page has handled all acts up to this one; `is_exact`: and no later one. It comes after what that has changed in the frame. */
export const editorSeqDone = message('editor-seq.done', {
  direction: 'host-to-client',
  lane: 'view',
  params: v.object({ seq: serial, is_exact: v.boolean() }),
});

/** Compares the text of a control with what the person sees, some time after they have typed (M-105). */
export const precheck = message('precheck', {
  direction: 'client-to-host',
  lane: 'input',
  params: v.object({ target: targetSchema, ...digest }),
});

/** The same of rich text, without its white space: of that editors and browsers make different characters. */
export const lechoHash = message('lecho-hash', {
  direction: 'client-to-host',
  lane: 'input',
  params: v.object({ target: targetSchema, ...digest }),
});

/** The page has another text there: that of this digest, after what has changed in the frame up to now (M-092). */
export const precheckFailure = message('precheck-failure', {
  direction: 'host-to-client',
  lane: 'view',
  params: v.object({ target: targetSchema, ...digest }),
});

/** Has a frame send what has changed in it up to now; answers with the number of the batch that did. */
export const pageMark = message('local-echo.page-mark', {
  direction: 'host-to-page',
  params: v.object({ isRich: v.boolean() }),
  result: v.object(position),
});

/** The text of a control or of rich text in the page now, and the batch that has it; null where it is none, or too long. */
export const pageDigest = message('local-echo.page-digest', {
  direction: 'host-to-page',
  params: v.object({ target: targetSchema }),
  result: v.nullable(v.object({ ...digest, ...position })),
});

/** Length of a text and its hash (FNV-1a over UTF-16 units, 32 bits); undefined when it is too long to be compared. */
export function digestOf(text: string): { readonly length: number; readonly hash: number } | undefined {
  if (text.length > MOST_UNITS) return undefined;
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return { length: text.length, hash: hash >>> 0 };
}

/** The text of rich text that is compared: without white space and characters of no width. */
export const withoutSpaces = (text: string): string => text.replace(/[\s\u200b\u2060\ufeff]/g, '');
