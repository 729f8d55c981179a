import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TextState } from '../../../core/index.ts';
import { predict } from '../client/acts.ts';
import type { Act } from '../client/acts.ts';
import { MODE } from '../client/input-state.ts';
import { at, OTHER, start, type } from './played-echo.ts';
import { PlayedField } from './played-field.ts';

it('[M-026] [M-046] its modes have the figures of the specification', () => {
  expect(MODE).toEqual({ local: 1, remote: 2, overflow: 3 });
});

describe('typing', () => {
  it('leaves a field to an input method that composes in it', () => {
    const { echo, field, answer } = start();
    echo.act(type('a'));
    field.hold();
    field.show(at('aé'));
    echo.act(OTHER);
    answer(at('a'), 1);
    answer(at('other'));
    answer(at('other'), 2);
    echo.act(type('b'));
    expect(field.shown()).toEqual(at('aé'));
    field.release();
    answer(at('aéb'), 3);
    echo.act(type('c'));
    expect(field.shown()).toEqual(at('aébc'));
  });

  it('[M-026] is shown at once, goes on while the page answers, and is the page’s in the end', () => {
    const { echo, field, answer, asked, settled, wrong } = start();
    for (const char of 'abc') echo.act(type(char));
    expect(field.shown()).toEqual(at('abc'));
    answer(at('a'), 1);
    expect(field.shown()).toEqual(at('abc'));
    answer(at('abc'));
    echo.act(type('d'));
    echo.handled(3);
    expect(field.shown()).toEqual(at('abcd'));
    answer(at('abcd'), 4);
    expect([field.shown(), asked, wrong]).toEqual([at('abcd'), [1, 2, 3, 4], []]);
    expect(settled).toEqual([field]);
    answer(at('the page’s own'));
    expect(field.shown()).toEqual(at('the page’s own'));
  });

  it('[M-046] is taken back where the page has another text, and shown at once again when it has answered all', () => {
    const { echo, field, answer, wrong } = start();
    for (const char of 'ab') echo.act(type(char));
    answer(at('A'));
    expect([echo.mode, field.shown()]).toEqual([MODE.remote, at('A')]);
    echo.act(type('c'));
    expect(field.shown()).toEqual(at('A'));
    answer(at('ABC'), 2);
    expect(echo.mode).toBe(MODE.remote);
    echo.handled(3);
    expect(echo.mode).toBe(MODE.local);
    echo.act(type('d'));
    expect(field.shown()).toEqual(at('ABCd'));
    expect(wrong).toEqual([type('a')]);
  });

  it('[M-046] is taken back where the page has that text for a moment only', () => {
    const { echo, field, answer, wrong } = start();
    echo.act(type('a'));
    answer(at('a'));
    answer(at('A'));
    expect([echo.mode, field.shown(), wrong]).toEqual([MODE.remote, at('A'), [type('a')]]);
    echo.handled(1);
    expect(echo.mode).toBe(MODE.local);
  });

  it('[M-046] is no longer shown past what the page may be behind, until it has caught up', () => {
    const { echo, field, answer } = start({ maxTypeahead: 2 });
    for (const char of 'abc') echo.act(type(char));
    expect([echo.mode, field.shown()]).toEqual([MODE.overflow, at('ab')]);
    answer(at('abc'), 3);
    expect([echo.mode, field.shown()]).toEqual([MODE.local, at('abc')]);
    echo.act(type('d'));
    expect(field.shown()).toEqual(at('abcd'));
  });

  it('[M-046] keeps what was typed after a key that the page has prevented', () => {
    const { echo, field, answer, wrong } = start();
    for (const char of '1x2') echo.act(type(char));
    answer(at('1'), 1);
    echo.handled(2);
    expect([field.shown(), wrong]).toEqual([at('12'), [type('x')]]);
    answer(at('12'), 3);
    expect(field.shown()).toEqual(at('12'));
  });

  it('waits for the page after something that only the page knows', () => {
    const { echo, field, answer, focus } = start({ text: 'one' });
    echo.act(OTHER);
    echo.act(type('x'));
    expect(field.shown()).toEqual(at('one'));
    const next = new PlayedField(5, at(''));
    focus(next);
    answer(at('one'), 1);
    echo.act(type('y'));
    expect(next.shown()).toEqual(at(''));
    next.draw(at('xy'));
    echo.handled(3);
    echo.act(type('z'));
    expect([field.shown(), next.shown()]).toEqual([at('one'), at('xyz')]);
  });

  it('goes on at once after something that only the page knows, though nobody pauses', () => {
    const { echo, field, answer, exact, wrong } = start({ text: 'one', isRich: true });
    echo.act(OTHER);
    for (const char of 'abc') echo.act(type(char));
    expect([...exact]).toEqual([2]);
    answer(at('one\n'), 1);
    expect(field.shown()).toEqual(at('one\n'));
    field.draw(at('one\na'));
    echo.drawn();
    echo.handled(2, true);
    expect(field.shown()).toEqual(at('one\nabc'));
    echo.act(type('d'));
    answer(at('one\nab'));
    answer(at('one\nabcd'), 5);
    expect([field.shown(), wrong, echo.field]).toEqual([at('one\nabcd'), [], undefined]);
  });

  it('goes on from a later key where something else came between', () => {
    const { echo, field, exact } = start();
    echo.act(OTHER);
    echo.act(type('a'));
    echo.act(OTHER);
    echo.act(type('b'));
    field.draw(at('a'));
    echo.handled(2, true);
    expect(field.shown()).toEqual(at('a'));
    echo.act(type('c'));
    expect([...exact]).toEqual([2, 5]);
    field.draw(at('abc'));
    echo.act(type('d'));
    echo.handled(5, true);
    expect(field.shown()).toEqual(at('abcd'));
  });

  it('waits for the caret of a text that has come', () => {
    const { echo, field, answer, wrong } = start({ text: 'one', isRich: true });
    echo.act(type('a'));
    echo.act(type('b'));
    answer(at('onea', 3));
    expect([field.shown(), wrong]).toEqual([at('oneab'), []]);
    answer(at('onea'), 1);
    answer(at('oneab', 0), 2);
    expect([field.shown(), wrong]).toEqual([at('oneab', 0), [type('b')]]);
  });

  it('shows what the page has once the field has gone', () => {
    const { echo, field, answer } = start();
    echo.act(type('a'));
    field.isGone = true;
    answer(at(''));
    expect(field.shown()).toEqual(at(''));
    field.isGone = false;
    answer(at('a'), 1);
    echo.act(type('b'));
    expect(field.shown()).toEqual(at('ab'));
    echo.stop();
    expect(field.shown()).toEqual(at('a'));
  });

  it('shows what the page has while that does not answer for long, and guesses nothing on it', () => {
    const { echo, field, answer, pass, wrong } = start();
    for (const char of 'hello') echo.act(type(char));
    pass(10_001);
    echo.act(type('!'));
    expect(field.shown()).toEqual(at(''));
    answer(at('hello'), 5);
    expect(field.shown()).toEqual(at('hello'));
    answer(at('hello!'), 6);
    echo.act(type('?'));
    expect([field.shown(), wrong]).toEqual([at('hello!?'), []]);
  });

  it('asks exactly only where something can be shown, and takes the answer for that field alone', () => {
    const { echo, focus, trust, field, exact } = start();
    focus(undefined);
    echo.act(OTHER);
    echo.act(type('a'));
    trust.decide(field, false);
    focus(field);
    echo.act(type('a'));
    expect([...exact]).toEqual([]);
    const next = new PlayedField(9, at(''));
    focus(next);
    echo.act(type('b'));
    expect([...exact]).toEqual([4]);
    const third = new PlayedField(10, at(''));
    focus(third);
    echo.act(type('c'));
    echo.handled(4, true);
    expect([next.shown(), third.shown()]).toEqual([at(''), at('')]);
  });
});

/** A page with a habit of its own. */
const HABITS: Readonly<Record<string, (page: TextState, act: Act, next: TextState) => readonly TextState[]>> = {
  none: (_page, _act, next) => [next],
  upper: (_page, _act, next) => [next, { ...next, text: next.text.toUpperCase() }],
  prevents: (page, act, next) => [act.kind === 'insert' && 'aeiou'.includes(act.text) ? page : next],
  closes: (_page, act, next) =>
    act.kind === 'insert' && act.text === '('
      ? [{ ...next, text: `${next.text.slice(0, next.start)})${next.text.slice(next.start)}` }]
      : [next],
  short: (page, _act, next) => [next.text.length > 6 ? page : next],
  late: (page, _act, next) => [{ ...page, text: next.text }, next],
  jumps: (_page, _act, next) => [{ ...next, start: 0, end: 0 }],
};
const TRAITS = new PlayedField(1, at(''));
const anyAct: fc.Arbitrary<Act> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...'a b c d e f i ('.split(' '), ' ').map(type) },
  {
    weight: 4,
    arbitrary: fc.constantFrom('backspace', 'delete', 'left', 'right', 'home', 'end').map((kind) => ({ kind })),
  },
  { weight: 1, arbitrary: fc.constant(OTHER) },
);
/** Here only the page knows that all is selected. */
const real = (page: TextState, act: Act): TextState =>
  act.kind === 'other' ? { ...page, start: 0, end: page.text.length } : (predict(page, act, TRAITS) ?? page);

describe('in any order of keys, answers and habits of a page', () => {
  const run = (
    habit: string,
    steps: readonly (Act | 'handle' | 'deliver')[],
    each?: (shown: TextState, sent: TextState) => void,
  ) => {
    const { echo, field, exact, wrong } = start();
    let page = at('');
    let sent = at('');
    const up: Act[] = [];
    const down: (() => void)[] = [];
    let done = 0;
    const handle = (): void => {
      const act = up.shift();
      if (!act) return;
      const drawn = HABITS[habit]!(page, act, real(page, act)); // one of its keys
      page = drawn.at(-1)!; // at least one
      const seq = (done += 1);
      for (const each of drawn)
        down.push(() => {
          field.draw(each);
          echo.drawn();
        });
      down.push(() => echo.handled(seq, exact.has(seq)));
    };
    for (const step of [
      ...steps,
      ...steps.map(() => 'handle' as const),
      ...steps.flatMap(() => Array(3).fill('deliver') as 'deliver'[]),
    ]) {
      if (step === 'handle') handle();
      else if (step === 'deliver') down.shift()?.();
      else {
        echo.act(step);
        up.push(step);
        sent = real(sent, step);
      }
      each?.(field.shown(), sent);
    }
    return { shown: field.shown(), page, echo, wrong };
  };
  const steps = fc.array(
    fc.oneof({ weight: 3, arbitrary: anyAct }, fc.constantFrom('handle' as const, 'deliver' as const)),
    { maxLength: 60 },
  );

  it('ends with the text and the caret that the page has', () => {
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(HABITS)), steps, (habit, taken) => {
        const { shown, page, echo } = run(habit, taken);
        expect(shown).toEqual(page);
        expect([echo.mode, echo.field]).toEqual([MODE.local, undefined]);
      }),
      { numRuns: 2000 },
    );
  });

  it('never takes back a key of a page that does as expected', () => {
    const known = fc.array(
      fc.oneof(
        { weight: 3, arbitrary: anyAct.filter(({ kind }) => kind !== 'other') },
        fc.constantFrom('handle' as const, 'deliver' as const),
      ),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(fc.constantFrom('none', 'late'), known, (habit, taken) => {
        const { wrong } = run(habit, taken, (shown, sent) => expect(shown).toEqual(sent));
        expect(wrong).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });
});
