import { describe, expect, it } from 'vitest';
import { at, start, type } from './played-echo.ts';

describe('a field that answers otherwise', () => {
  const wrongly = ({ echo, field, answer }: ReturnType<typeof start>, char: string, seq: number): boolean => {
    const before = field.shown().text;
    echo.act(type(char));
    const isShown = field.shown().text !== before;
    answer(at(before + char.toUpperCase()), seq);
    return isShown;
  };

  it('[M-106] is left to the page past the tolerance', () => {
    const played = start({ tolerance: 2 });
    expect(Array.from('abcd').map((char, index) => wrongly(played, char, index + 1))).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });

  it('[M-106] is put up with where that is seldom', () => {
    const played = start({ tolerance: 2 });
    const seen = Array.from('abcdef').map((char, index) => {
      played.pass(9000);
      return wrongly(played, char, index + 1);
    });
    expect(seen).toEqual([true, true, true, true, true, true]);
  });

  it('[M-047] is left to the page for good after more than three, where it is rich text', () => {
    const played = start({ tolerance: 1000, isRich: true });
    const seen = Array.from('abcdefg').map((char, index) => {
      played.pass(1_000_000);
      return wrongly(played, char, index + 1);
    });
    expect(seen).toEqual([true, true, true, true, false, false, false]);
  });

  it('does not show the same key at once again, and goes on with others where it was a sign', () => {
    const { echo, field, answer } = start({ tolerance: 0 });
    echo.act(type('('));
    answer(at('()', 1), 1);
    echo.act(type('('));
    expect(field.shown()).toEqual(at('()', 1));
    answer(at('(())', 2), 2);
    echo.act(type('a'));
    expect(field.shown()).toEqual(at('((a))', 3));
  });

  it.each([
    { does: 'closes brackets', page: at('()', 1), isShown: false },
    { does: 'takes them as they are', page: at('('), isShown: true },
  ])('is seen once with a bracket before that is shown at once in rich text: $does', ({ page, isShown }) => {
    const { echo, field, exact, wrong } = start({ isRich: true });
    echo.act(type('('));
    expect([field.shown(), [...exact]]).toEqual([at(''), [1]]);
    field.draw(page);
    echo.handled(1, true);
    echo.act(type('('));
    expect([field.shown().text === '((', wrong]).toEqual([isShown, []]);
  });

  it.each([
    { page: at('a()', 2), typed: 'a(b', culprit: '(' },
    { page: at('b'), typed: 'axb', culprit: 'a' },
    { page: at('ab'), typed: 'axb', culprit: 'x' },
    { page: at('abX'), typed: 'abx', culprit: 'x' },
    { page: at('a\u00a0b•'), typed: 'a b*', culprit: '*' },
  ])('blames $culprit of $typed where several were answered at once', ({ page, typed, culprit }) => {
    const { echo, answer, wrong } = start();
    for (const char of typed) echo.act(type(char));
    answer(page);
    expect(wrong).toEqual([type(culprit)]);
  });
});
