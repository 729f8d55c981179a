import { expect, it, vi } from 'vitest';
import { Chooser } from '../client/chooser.ts';
import { Dialogs } from '../client/dialogs.ts';
import { picker as real } from '../client/picker.ts';
import type { Picker } from '../client/picker.ts';

const WANTED = { multiple: false, folder: false, accept: '' };
const FILE = new File(['a'], 'a.txt');

function start({ confirms = true } = {}) {
  const calls: unknown[][] = [];
  const picker = { mayOpen: vi.fn(() => true), pick: vi.fn<Picker['pick']>().mockResolvedValue([FILE]) };
  const chooser = new Chooser({
    picker,
    confirm: async () => {
      calls.push(['confirm']);
      return confirms;
    },
    onChosen: (id, files) => void calls.push(['chosen', id, files.length]),
    onCancelled: (id) => void calls.push(['cancelled', id]),
  });
  return { chooser, picker, calls };
}

it('[M-041] opens the picker while the click of the person counts, and asks for another one otherwise', async () => {
  const { chooser, picker, calls } = start();
  await chooser.run(1, WANTED);
  picker.mayOpen.mockReturnValue(false);
  await chooser.run(2, WANTED);
  expect(calls).toEqual([['chosen', 1, 1], ['confirm'], ['chosen', 2, 1]]);
});

it('[M-052] without files the chooser is canceled', async () => {
  const { chooser, picker, calls } = start({ confirms: false });
  picker.pick.mockResolvedValue([]);
  await chooser.run(1, WANTED);
  picker.mayOpen.mockReturnValue(false);
  await chooser.run(2, WANTED);
  expect(calls).toEqual([['cancelled', 1], ['confirm'], ['cancelled', 2]]);
});

it('a later chooser takes the place of an earlier one', async () => {
  const { chooser, picker, calls } = start();
  const { promise, resolve } = Promise.withResolvers<readonly File[]>();
  picker.pick.mockReturnValueOnce(promise);
  const first = chooser.run(1, WANTED);
  await chooser.run(2, WANTED);
  resolve([FILE]);
  await first;
  expect(calls).toEqual([['chosen', 2, 1]]);
});

it('[M-007] the confirmation is a question that the person answers', async () => {
  const asked: unknown[] = [];
  const answers = [true, undefined];
  const slots = {
    ask: async (_slot: unknown, _part: unknown, words: unknown) => {
      asked.push(words);
      return answers.shift();
    },
  };
  const texts = { text: (id: string) => id };
  const { signal } = new AbortController();
  const dialogs = new Dialogs(slots as never, texts as never, signal); // the parts in use
  expect([await dialogs.confirm(signal), await dialogs.confirm(signal)]).toEqual([true, false]);
  const [title, text, no, yes] = ['title', 'text', 'no', 'yes'].map((word) => `uploads.confirm-${word}`);
  expect(asked[0]).toEqual({ title, text, no, yes });
});

it('[M-007] a picker needs an act of the person', () => {
  for (const isActive of [false, true]) {
    vi.stubGlobal('navigator', { userActivation: { isActive } });
    expect(real.mayOpen()).toBe(isActive);
  }
  vi.unstubAllGlobals();
});
