import type { EditableTraits, TextState } from '../../../core/index.ts';

/** The effect of a key on text. `other`: something that only the page knows. */
export type Act =
  | { readonly kind: 'insert'; readonly text: string }
  | { readonly kind: 'backspace' | 'delete' | 'left' | 'right' | 'home' | 'end' | 'other' };

type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'altKey' | 'metaKey' | 'shiftKey'>;

const KEYS: Readonly<Record<string, Act['kind']>> = {
  Backspace: 'backspace',
  Delete: 'delete',
  ArrowLeft: 'left',
  ArrowRight: 'right',
  Home: 'home',
  End: 'end',
};
/** Keys that do nothing by themselves. */
const SILENT = /^(?:Shift|Control|Alt|AltGraph|Meta|CapsLock|NumLock|ScrollLock|Fn|FnLock|Hyper|Super|Symbol)$/;

/** The effect of a key that was sent to the page; undefined for one that does nothing by itself. */
export function actOf({ key, ctrlKey, altKey, metaKey, shiftKey }: Key, isAltGraph: boolean): Act | undefined {
  if (SILENT.test(key)) return undefined;
  const isShortcut = !isAltGraph && (ctrlKey || altKey || metaKey);
  if (isShortcut) return { kind: 'other' };
  if (/^.$/su.test(key)) return { kind: 'insert', text: key };
  if (key === 'Enter' && !shiftKey) return { kind: 'insert', text: '\n' };
  const kind = shiftKey ? undefined : Object.hasOwn(KEYS, key) && KEYS[key];
  return { kind: kind || 'other' } as Act; // no kind of this table has a text
}

/** A character that is one unit, and that editors treat as one: no part of an emoji, no accent on the one before. */
const PLAIN = /^(?![\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff])[\p{L}\p{N}\p{P}\p{S}\n \u00a0]$/u;
/** Characters that belong to the one before them. */
const BELONGS_BEFORE = /^[\p{M}\u200d\ufe0e\ufe0f\u{1f3fb}-\u{1f3ff}\udc00-\udfff]/u;
const RIGHT_TO_LEFT = /[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc]/;
const BULLET = '•';

/** The text after an act, as far as that can be known; undefined where it cannot. Linear in the text. */
export function predict(state: TextState, act: Act, traits: EditableTraits): TextState | undefined {
  if (traits.isReadOnly) return undefined;
  const { text, start, end } = state;
  switch (act.kind) {
    case 'insert':
      return insert(state, act.text, traits);
    case 'backspace':
      if (start < end) return cut(state, start, end);
      if (start === 0) return traits.kind === 'control' ? state : undefined;
      return isPlainAt(text, start - 1, traits) ? cut(state, start - 1, start) : undefined;
    case 'delete':
      if (start < end) return cut(state, start, end);
      if (start === text.length) return traits.kind === 'control' ? state : undefined;
      return isPlainAt(text, start, traits) ? cut(state, start, start + 1) : undefined;
    case 'left':
    case 'right':
      return move(state, act.kind, traits);
    case 'home':
    case 'end': {
      if (traits.isMultiline || RIGHT_TO_LEFT.test(text)) return undefined;
      return at(text, act.kind === 'home' ? 0 : text.length);
    }
    case 'other':
      return undefined;
  }
}

function insert({ text, start, end }: TextState, typed: string, traits: EditableTraits): TextState | undefined {
  const { kind, isMultiline, isSecret, keepsSpaces, maxLength, type } = traits;
  if (typed === '\n' && (!isMultiline || kind === 'rich')) return undefined;
  if (type === 'number' && !/^\d$/.test(typed)) return undefined;
  // Of such a character a bullet may be the character before it.
  if (isSecret && typed > '\u02ff') return undefined;
  if (maxLength !== undefined && text.length - (end - start) + typed.length > maxLength) return undefined;
  const shown = isSecret ? BULLET : typed === ' ' && !keepsSpaces ? '\u00a0' : typed;
  return at(text.slice(0, start) + shown + text.slice(end), start + shown.length);
}

function move({ text, start, end }: TextState, way: 'left' | 'right', traits: EditableTraits): TextState | undefined {
  if (RIGHT_TO_LEFT.test(text)) return undefined;
  if (start < end) return at(text, way === 'left' ? start : end);
  const next = way === 'left' ? start - 1 : start;
  if (next < 0 || next >= text.length) return traits.kind === 'control' ? { text, start, end } : undefined;
  return isPlainAt(text, next, traits) ? at(text, way === 'left' ? next : next + 1) : undefined;
}

function isPlainAt(text: string, index: number, { isSecret }: EditableTraits): boolean {
  const next = text.slice(index + 1, index + 3);
  if (isSecret) return text[index] === BULLET && !next.startsWith('\u2060');
  return PLAIN.test(text[index] ?? '') && !BELONGS_BEFORE.test(next);
}

const at = (text: string, offset: number): TextState => ({ text, start: offset, end: offset });
const cut = ({ text }: TextState, from: number, to: number): TextState =>
  at(text.slice(0, from) + text.slice(to), from);

/** Whether two states are the same, but for which kind of space an editor has put in. */
export function isSame(a: TextState, b: TextState): boolean {
  return a.start === b.start && a.end === b.end && isSameText(a.text, b.text);
}

/** The same of texts. */
export function isSameText(a: string, b: string): boolean {
  return a === b || (a.length === b.length && a.replaceAll('\u00a0', ' ') === b.replaceAll('\u00a0', ' '));
}

/** Whether an act is a sign: editors and pages complete them, and other keys rarely. */
export const isSign = (act: Act): boolean => act.kind === 'insert' && /^[\p{P}\p{S}]$/u.test(act.text);
