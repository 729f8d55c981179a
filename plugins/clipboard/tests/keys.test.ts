import { expect, it } from 'vitest';
import { testRecords } from '../../../core/testing/records.ts';
import { AppError } from '../../../host/plugin.ts';
import type { InputTurn } from '../../../host/plugin.ts';
import { pressKey } from '../host/keys.ts';
import type { Shortcut } from '../host/keys.ts';

/** Presses a shortcut; returns the events that the page gets, with their options. */
async function press(shortcut: Partial<Shortcut>, fault?: AppError) {
  const sent: unknown[] = [];
  const { log, lines } = testRecords();
  const send = (...given: unknown[]): Promise<void> => {
    sent.push(given);
    return fault ? Promise.reject(fault) : Promise.resolve();
  };
  const turn = { send } as Partial<InputTurn> as InputTurn; // all that is used of it
  await pressKey(turn, log, { command: 'copy', byKey: true, meta: false, ...shortcut });
  return { sent, lines };
}

const WAIT = { deadlineMs: 3000 };

it.each([
  ['copy', false, { key: 'c', code: 'KeyC', windowsVirtualKeyCode: 67, modifiers: 2 }],
  ['cut', false, { key: 'x', code: 'KeyX', windowsVirtualKeyCode: 88, modifiers: 2 }],
  ['paste', false, { key: 'v', code: 'KeyV', windowsVirtualKeyCode: 86, modifiers: 2 }],
  ['paste', true, { key: 'v', code: 'KeyV', windowsVirtualKeyCode: 86, modifiers: 4 }],
  ['pasteAndMatchStyle', false, { key: 'V', code: 'KeyV', windowsVirtualKeyCode: 86, modifiers: 10 }],
  ['pasteAndMatchStyle', true, { key: 'V', code: 'KeyV', windowsVirtualKeyCode: 86, modifiers: 12 }],
] as const)('[S-129] the page gets %s as the key of it, with Command: %j', async (command, meta, key) => {
  const down = ['Input.dispatchKeyEvent', { ...key, type: 'rawKeyDown', commands: [command] }, WAIT];
  const up = ['Input.dispatchKeyEvent', { ...key, type: 'keyUp' }, WAIT];
  expect((await press({ command, meta })).sent).toEqual([down]); // the person's own release follows
  expect((await press({ command, meta, byKey: false })).sent).toEqual([down, up]);
});

it('a page that takes long over a shortcut keeps nobody waiting, and any other fault is told', async () => {
  const { lines } = await press({ command: 'cut' }, new AppError('cdp-timeout', 'late'));
  expect(lines).toMatchObject([{ level: 'info' }]);
  await expect(press({}, new AppError('frame-gone', 'gone'))).rejects.toMatchObject({ code: 'frame-gone' });
});
