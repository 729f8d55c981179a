import { expect, it } from 'vitest';
import { edited } from '../client/secret-field.tsx';

const B = '\u2022';

it.each([
  ['typing at the end', 'abc', `${B}${B}${B}d`, 4, 'abcd'],
  ['typing in between', 'abc', `${B}x${B}${B}`, 2, 'axbc'],
  ['typing at the start', 'abc', `x${B}${B}${B}`, 1, 'xabc'],
  ['pasting over a selection', 'abcd', `${B}xyz${B}`, 4, 'axyzd'],
  ['deleting backwards', 'abc', `${B}${B}`, 1, 'ac'],
  ['deleting at the end', 'abc', `${B}${B}`, 2, 'ab'],
  ['deleting all', 'abc', '', 0, ''],
  ['replacing all', 'abc', 'x', 1, 'x'],
  ['nothing', 'abc', `${B}${B}${B}`, 3, 'abc'],
])('follows %s', (_what, secret, shown, caret, next) => {
  expect(edited(secret, shown, caret)).toBe(next);
});
