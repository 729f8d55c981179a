import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Editable, TextState } from '../../../core/index.ts';
import { Composer } from '../client/composer.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A composer, with all that it has sent as `name state text` and what it has done to the field. */
function start() {
  const sent: string[] = [];
  const done: string[] = [];
  const shown: TextState = { text: '', start: 0, end: 0 };
  const editable = {
    page: () => ({ text: '', start: 0, end: 0 }),
    shown: () => shown,
    show: () => done.push('show') > 0,
    hold: () => void done.push('hold'),
    release: () => void done.push('release'),
    isThere: () => true,
  } as Partial<Editable> as Editable; // all that a composer uses
  const send = (message: { readonly name: string }, params: object): void => {
    const { state = '', text = '' } = params as { readonly state?: string; readonly text?: string };
    sent.push([message.name, state, text].filter((word) => word !== '').join(' '));
  };
  const composer = new Composer({ send } as ConstructorParameters<typeof Composer>[0]);
  return { composer, editable, sent, done };
}

describe('a composition', () => {
  it('[R-047] goes on from its start, by its steps, to its end, and holds the field from first to last', () => {
    const { composer, editable, sent, done } = start();
    composer.start(1, editable);
    composer.step('k');
    vi.advanceTimersByTime(0);
    composer.step('か');
    composer.flush();
    composer.end('か');
    expect(sent).toEqual(['composition start', 'composition update k', 'composition update か', 'composition end か']);
    expect(done).toEqual(['hold']);
  });

  it('replaces nothing where a text has been inserted since the one before', () => {
    const { editable } = start();
    const sent: object[] = [];
    const shown: { current: TextState } = { current: { text: '한', start: 0, end: 0 } };
    Object.assign(editable, { shown: () => shown.current });
    const composer = new Composer({
      send: (_message: unknown, params: object) => sent.push(params),
    } as ConstructorParameters<typeof Composer>[0]);
    composer.start(1, editable);
    composer.end('');
    composer.inserted(undefined);
    shown.current = { text: '한', start: 1, end: 1 };
    composer.start(1, editable);
    composer.prepare();
    composer.step('그');
    composer.flush();
    expect(sent.at(-1)).not.toHaveProperty('replaced');
  });

  it('goes on in a field that holds what was inserted before it, until the page has answered to both', () => {
    const { composer, editable, sent, done } = start();
    composer.insert(1, editable);
    expect(sent).toEqual(['composition.notice']);
    expect(composer.holds(editable)).toBe(true);
    composer.start(1, editable);
    composer.settled(1);
    composer.end('글');
    expect(done).not.toContain('release');
    composer.notice();
    composer.settled(2);
    expect(done.at(-1)).toBe('release');
    composer.insert(1, editable);
    composer.settled(3);
    expect(done.at(-1)).toBe('release');
    expect(composer.holds(editable)).toBe(false);
  });

  it('gives another field back where a text is inserted', () => {
    const { composer, editable, done } = start();
    const next = start();
    composer.start(1, editable);
    composer.end('か');
    composer.insert(1, next.editable);
    expect([done, next.done]).toEqual([['hold', 'release'], ['hold']]);
  });

  it('[R-047] loses no step that another follows in the same task', () => {
    const { composer, editable, sent } = start();
    composer.start(1, editable);
    composer.step('k');
    composer.step('か');
    composer.step('かn');
    expect(sent).toEqual(['composition start', 'composition update k', 'composition update か']);
    composer.end('かん');
    expect(sent.slice(3)).toEqual(['composition update かn', 'composition end かん']);
    vi.advanceTimersByTime(60_000);
    expect(sent.filter((each) => each.startsWith('composition update'))).toHaveLength(3);
  });

  it('[R-047] is sent with the place of its cursor, from where it begins', () => {
    const { editable } = start();
    const sent: unknown[] = [];
    const shown: { current: TextState } = { current: { text: 'ab', start: 1, end: 1 } };
    Object.assign(editable, { shown: () => shown.current, page: () => shown.current });
    const composer = new Composer({
      send: ({ name }: { readonly name: string }, { text, start: from, end }: Partial<TextState>) =>
        sent.push([name, text, from, end]),
    } as ConstructorParameters<typeof Composer>[0]);
    composer.start(1, editable);
    composer.prepare();
    shown.current = { text: 'anihonb', start: 3, end: 5 };
    composer.step('nihon');
    composer.flush();
    expect(sent.at(-1)).toEqual(['composition', 'nihon', 2, 4]);
  });

  it('takes the place of what is selected beyond the page’s caret, but not while the page may not have taken a press', () => {
    const at = (start: number, end = start): TextState => ({ text: 'abc', start, end });
    const replacedAfter = (pressed: TextState | undefined, page: TextState, waitMs = 0): unknown => {
      const { editable } = start();
      const sent: { readonly replaced?: unknown }[] = [];
      Object.assign(editable, { shown: () => at(0, 2), page: () => page });
      const composer = new Composer({
        send: (_message: unknown, params: { readonly replaced?: unknown }) => sent.push(params),
      } as ConstructorParameters<typeof Composer>[0]);
      composer.press(pressed);
      vi.advanceTimersByTime(waitMs);
      composer.start(1, editable);
      composer.prepare();
      composer.step('x');
      composer.flush();
      return sent.at(-1)?.replaced;
    };
    expect(replacedAfter(at(3), at(3))).toBeUndefined();
    expect(replacedAfter(at(3), at(2))).toEqual({ before: 2, after: 0 });
    expect(replacedAfter(at(3), at(3), 1001)).toEqual({ before: 3, after: -1 });
  });

  it('[S-078] is ended with its notice pending, which goes out with the next key that comes up, once', () => {
    const { composer, editable, sent, done } = start();
    composer.start(1, editable);
    composer.end('日本');
    expect(sent).toEqual(['composition start', 'composition end 日本']);
    composer.notice();
    composer.notice();
    expect(sent.slice(2)).toEqual(['composition.notice']);
    composer.settled(7); // another one
    expect(done).toEqual(['hold']);
    composer.settled(1);
    expect(done).toEqual(['hold', 'release']);
  });

  it('[M-108] counts as active for 500 ms after its last event where no key comes up', () => {
    const { composer, editable, sent } = start();
    composer.start(1, editable);
    composer.end('가');
    vi.advanceTimersByTime(499);
    expect(sent).not.toContain('composition.notice');
    vi.advanceTimersByTime(1);
    expect(sent).toContain('composition.notice');
  });

  it('[M-108] of the next Korean syllable goes on in the held field, which does not show the page’s text in between', () => {
    const { composer, editable, sent, done } = start();
    composer.start(1, editable);
    composer.end('가');
    vi.advanceTimersByTime(300);
    composer.start(1, editable);
    vi.advanceTimersByTime(2000);
    expect(sent.filter((each) => each === 'composition.notice')).toHaveLength(1); // that of the press before a new one begins
    expect(done).toEqual(['hold', 'hold']);
  });

  it('[M-108] of the next Korean syllable takes the place of a part of the last one, though the page has not answered', () => {
    const { editable } = start();
    const sent: { readonly replaced?: unknown }[] = [];
    const shown: { current: TextState } = { current: { text: '', start: 0, end: 0 } };
    Object.assign(editable, { shown: () => shown.current });
    const composer = new Composer({
      send: (_message: unknown, params: { readonly replaced?: unknown }) => sent.push(params),
    } as ConstructorParameters<typeof Composer>[0]);
    composer.start(1, editable);
    composer.prepare();
    shown.current = { text: '간', start: 1, end: 1 };
    composer.end('간');
    composer.start(1, editable);
    shown.current = { text: '간', start: 0, end: 1 };
    composer.prepare();
    composer.step('가나');
    composer.flush();
    expect(sent.at(-1)).toMatchObject({ text: '가나', replaced: { before: 1, after: 0 } });
  });

  it('[S-078] in another field lets the one before go', () => {
    const { composer, editable, done } = start();
    const other = start();
    composer.start(1, editable);
    composer.end('日本');
    composer.start(1, other.editable);
    expect([done, other.done]).toEqual([['hold', 'release'], ['hold']]);
    expect([composer.holds(editable), composer.holds(other.editable)]).toEqual([false, true]);
  });

  it('[R-047] ends before a press, with what is there, and sends no more of it', () => {
    const { composer, editable, sent } = start();
    composer.start(1, editable);
    composer.step('ni');
    composer.press(undefined);
    composer.step('nih');
    composer.end('nih');
    vi.advanceTimersByTime(0);
    expect(sent).toEqual(['composition start', 'composition end ni', 'composition.notice']);
  });

  it('lets the field go where the page never answers, where it ends it, and where the document goes', () => {
    const never = start();
    never.composer.start(1, never.editable);
    never.composer.end('x');
    vi.advanceTimersByTime(1001);
    expect(never.done).toEqual(['hold', 'release']);
    const page = start();
    page.composer.start(1, page.editable);
    page.composer.over(1);
    page.composer.step('more');
    vi.advanceTimersByTime(0);
    expect([page.sent, page.done]).toEqual([['composition start'], ['hold', 'show', 'release']]);
    const gone = start();
    gone.composer.start(3, gone.editable);
    gone.composer.leave(1);
    gone.composer.leave(3);
    expect([gone.composer.isComposing, gone.done]).toEqual([false, ['hold', 'release']]);
  });

  it('sends no more of a text than the host takes', () => {
    const { composer, editable, sent } = start();
    composer.start(1, editable);
    composer.step('x'.repeat(20_000));
    composer.flush();
    expect(sent[1]).toHaveLength('composition update '.length + 10_000);
  });
});
