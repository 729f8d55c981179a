import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Editing, Renderer } from '../../../core/index.ts';
import { pluginHarness } from '../../../core/testing/harness.ts';
import { followInputMethods } from '../client/follow.ts';
import { manifest } from '../manifest.ts';
import { composition, key, notice } from '../protocol.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Follows the input methods of one document, outside of fields. */
function start() {
  const { client, host, flush } = pluginHarness(manifest);
  const heard: string[] = [];
  host.commands.handle(composition, ({ state, text }) => void heard.push(`${state} ${text}`.trim()));
  host.commands.handle(notice, ({ frame }) => void heard.push(`notice ${frame}`));
  host.commands.handle(key, ({ type, code }) => void heard.push(`key ${type} ${code}`));
  const view = new EventTarget();
  const element = { matches: () => false }; // no password
  const document = { defaultView: view } as unknown as Document;
  const renderer = { documents: (each: (view: unknown) => () => void) => each({ frame: 2, document }) };
  const editing = { entered: () => undefined, focused: () => undefined } as Partial<Editing>;
  followInputMethods(client, renderer as unknown as Renderer, editing as Editing); // the parts that are used
  const act = async (type: string, facts: object = {}): Promise<string[]> => {
    view.dispatchEvent(Object.assign(new Event(type), { composedPath: () => [element] }, facts));
    await vi.advanceTimersByTimeAsync(0);
    await flush();
    return heard.splice(0);
  };
  /** Composes a text by steps, up to its end. */
  const compose = async (...steps: string[]): Promise<string[]> => {
    const all = [await act('compositionstart')];
    for (const data of steps) {
      await act('compositionupdate', { data });
      all.push(await act('input', { inputType: 'insertCompositionText' }));
    }
    all.push(await act('compositionend', { data: steps.at(-1) }));
    return all.flat();
  };
  return { act, compose };
}

const KEY = { key: 'a', code: 'KeyA', keyCode: 65, location: 0, repeat: false, isComposing: false };

it('[S-078] a composition is in progress, ends, and is over in the page with the next key that comes up', async () => {
  const { act, compose } = start();
  expect(await compose('k', 'か')).toEqual(['start', 'update k', 'update か', 'end か']);
  expect(await act('keyup', KEY)).toEqual(['notice 2']);
  expect(await act('keyup', KEY)).toEqual([]);
});

it('[S-078] a key that the input method has taken comes up in the page before that', async () => {
  const { act, compose } = start();
  expect(await act('keydown', { ...KEY, key: 'Process', keyCode: 229 })).toEqual(['key down KeyA']);
  await compose('か');
  expect(await act('keyup', { ...KEY, key: 'Process', keyCode: 229 })).toEqual(['key up KeyA', 'notice 2']);
});
