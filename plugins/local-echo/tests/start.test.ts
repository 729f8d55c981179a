import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { rendererToken } from '../../../core/index.ts';
import type { Editing, Renderer } from '../../../core/index.ts';
import { pluginHarness } from '../../../core/testing/harness.ts';
import { startEcho } from '../client/start.ts';
import { manifest } from '../manifest.ts';
import { digestOf } from '../protocol.ts';
import { PlayedField } from './played-field.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** The echo over a field of a page, with the settings of a policy, and the person's keyboard. */
async function started(settings: object) {
  const document = new EventTarget() as Document;
  const field = new PlayedField(4, { text: '', start: 0, end: 0 });
  const drawn = new Set<() => void>();
  const editing: Partial<Editing> = {
    focused: () => field,
    onDrawn: (listener) => {
      drawn.add(listener);
      return () => drawn.delete(listener);
    },
  };
  const renderer: Partial<Renderer> = {
    documents: (each) => each({ frame: 1, document }),
    onScroll: () => () => undefined,
    onEdit: () => () => undefined,
    editing: () => Promise.resolve(editing as Editing), // all that is used of it
  };
  const { client, clientServices, clientInput, events } = pluginHarness(manifest, {
    siteCapabilities: { local_echo: settings },
  });
  clientServices.provide(rendererToken, renderer as Renderer); // as above
  const answers = await startEcho(client, true);
  clientInput.start(renderer as Renderer);
  answers?.handled({ seq: 1, is_exact: false }); // keys of before
  const press = (key: string): void => {
    const event = new Event('keydown', { cancelable: true });
    event.preventDefault(); // as the keyboard does with a key that goes to the page
    document.dispatchEvent(Object.assign(event, { key, getModifierState: () => false }));
  };
  /** The page draws, and has handled the acts up to one. */
  const answer = (text: string, seq: number): void => {
    field.draw({ text, start: text.length, end: text.length });
    for (const listener of drawn) listener();
    answers?.handled({ seq, is_exact: false });
  };
  return { field, press, answer, answers, events: () => events.map(({ name }) => name) };
}

it('[M-046] shows no more ahead of the page than the policy of it lets', async () => {
  const { field, press, answer } = await started({ max_typeahead: 2 });
  for (const key of 'abc') press(key);
  expect(field.shown().text).toBe('ab');
  answer('abc', 4);
  press('d');
  expect(field.shown().text).toBe('abcd');
});

it('[M-046] reports that a page has another text than the person saw, once it has answered all', async () => {
  const { field, press, answer, answers, events } = await started({});
  press('a');
  answer('a', 2);
  vi.advanceTimersByTime(200);
  answers?.differs({ target: field.target, ...digestOf('a')! });
  expect(events()).toEqual([]);
  answers?.differs({ target: field.target, ...digestOf('A')! });
  expect(events()).toEqual(['tc-lecho-mismatch']);
});
