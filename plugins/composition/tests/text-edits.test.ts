import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Editable, TextState } from '../../../core/index.ts';
import { makePatches } from '../client/make-patches.ts';
import { TextEdits } from '../client/text-edits.ts';
import type { Patch } from '../protocol.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** The edits of a view, with all that was sent as `name edit old>text` and what was done to the fields. */
function start() {
  const sent: string[] = [];
  const done: string[] = [];
  let isHeld = false;
  const send = (message: { readonly name: string }, params: object): void => {
    const { edit, patches } = params as { readonly edit: number; readonly patches: readonly Patch[] };
    sent.push([message.name, edit, ...patches.map(({ old, text }) => `${old}>${text}`)].join(' '));
  };
  const edits = new TextEdits({
    commands: { send } as ConstructorParameters<typeof TextEdits>[0]['commands'],
    makePatches,
    isHeld: () => isHeld,
  });
  const field = (kind: Editable['kind'], text: string): Editable => {
    const state: TextState = { text, start: text.length, end: text.length };
    return {
      kind,
      target: { frame: 1, epoch: 3, node: 9, x: 0, y: 0 },
      page: () => state,
      hold: () => void done.push('hold'),
      release: () => void done.push('release'),
      show: ({ text: shown, start: at }: TextState) => done.push(`show ${shown} ${at}`) > 0,
    } as Partial<Editable> as Editable; // all that edits use
  };
  return { edits, field, sent, done, compose: () => (isHeld = true) };
}

it('[M-107] [M-078] sends edits of a control as one `edtx` at the end of their task', () => {
  const { edits, field, sent } = start();
  const control = field('control', 'teh dgo');
  expect(edits.take(control, 'teh dgo', { start: 0, end: 3, text: 'the' })).toBe(true);
  edits.take(control, 'the dgo', { start: 4, end: 7, text: 'dog' });
  expect(sent).toEqual([]);
  vi.advanceTimersByTime(0);
  expect(sent).toEqual(['edtx 1 teh dgo>the dog']);
});

it('[M-107] [M-078] gathers edits of rich text for 100 ms into one `ednt`', () => {
  const { edits, field, sent } = start();
  const rich = field('rich', 'a teh b');
  edits.take(rich, 'a teh b', { start: 2, end: 5, text: 'the' });
  vi.advanceTimersByTime(60);
  edits.take(rich, 'a the b', { start: 6, end: 7, text: 'bee' });
  vi.advanceTimersByTime(39);
  expect(sent).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(sent).toEqual(['ednt 1 teh b>the bee']);
});

it('sends what waits before anything else, and apart from edits that do not follow from it', () => {
  const { edits, field, sent } = start();
  const rich = field('rich', 'teh dgo');
  edits.take(rich, 'teh dgo', { start: 0, end: 3, text: 'the' });
  edits.flush();
  edits.flush();
  expect(sent).toEqual(['ednt 1 teh>the']);
  edits.take(rich, 'teh dgo', { start: 0, end: 3, text: 'the' });
  edits.take(rich, 'teh dgo', { start: 4, end: 7, text: 'dog' });
  edits.flush();
  expect(sent.slice(1)).toEqual(['ednt 2 teh>the', 'ednt 3 dgo>dog']);
});

it('shows an edit until the page has answered the last one, with the caret where it was in the text', () => {
  const { edits, field, done } = start();
  const control = field('control', 'teh dgo');
  const replacement = { start: 0, end: 3, text: 'then' };
  edits.take(control, 'teh dgo', replacement);
  edits.show(control, { text: 'teh dgo', start: 0, end: 3 }, replacement);
  edits.flush();
  expect(done).toEqual(['hold', 'show then dgo 8']);
  edits.take(control, 'then dgo', { start: 5, end: 8, text: 'dog' });
  edits.settled(1);
  edits.flush();
  edits.settled(1);
  expect(done).toHaveLength(2);
  edits.settled(2);
  expect(done).toEqual(['hold', 'show then dgo 8', 'release']);
});

it('gives a field back without an answer, and never one in which somebody composes', () => {
  const lost = start();
  lost.edits.hold(lost.field('control', 'a'));
  vi.advanceTimersByTime(10_000);
  expect(lost.done).toEqual(['hold', 'release']);
  const composed = start();
  composed.edits.hold(composed.field('control', 'a'));
  composed.compose();
  composed.edits.dispose();
  expect(composed.done).toEqual(['hold']);
});

it('takes no edit of a text that is too long, and none that changes nothing', () => {
  const { edits, field, sent } = start();
  const long = 'x'.repeat(100_001);
  expect(edits.take(field('control', long), long, { start: 0, end: 1, text: 'y' })).toBe(false);
  expect(edits.take(field('control', 'x'), 'x', { start: 0, end: 1, text: 'x' })).toBe(false);
  vi.advanceTimersByTime(60_000);
  expect(sent).toEqual([]);
});
