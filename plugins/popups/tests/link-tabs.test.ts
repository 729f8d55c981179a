import { afterEach, expect, it, vi } from 'vitest';
import type { Renderer } from '../../../core/index.ts';
import { watchLinks } from '../client/link-tabs.ts';

afterEach(() => void vi.unstubAllGlobals());

type Listener = (event: object) => void;
type Keys = Partial<Record<'ctrlKey' | 'shiftKey' | 'metaKey' | 'altKey', boolean>>;

/** Watches the links of one document, as far as they need it, in a browser of this platform. */
function start(platform: string) {
  vi.stubGlobal('navigator', { platform });
  const listeners = new Map<string, Listener>();
  const document = {
    addEventListener: (type: string, run: Listener) => void listeners.set(type, run),
    removeEventListener: (type: string) => void listeners.delete(type),
  };
  const renderer = { documents: (added: (view: object) => () => void) => added({ frame: 2, document }) };
  const opened: [number, string][] = [];
  const stop = watchLinks(renderer as unknown as Renderer, (...link) => void opened.push(link)); // the part that is used
  /** Clicks a link. Returns whether its browser does nothing by itself. */
  const click = (keys: Keys = {}, button = 0, href: string | null = '/https://b.test/x', localName = 'a'): boolean => {
    const link = { localName, getAttribute: () => href };
    const preventDefault = vi.fn();
    const event = { button, composedPath: () => [{}, link, document], preventDefault, ...keys };
    listeners.get(button === 0 ? 'click' : 'auxclick')?.(event);
    return preventDefault.mock.calls.length > 0;
  };
  return { opened, stop, click };
}

const LINK: readonly [number, string] = [2, 'https://b.test/x'];

it.each<[platform: string, opens: readonly Keys[], passes: readonly Keys[]]>([
  ['Linux x86_64', [{ ctrlKey: true }, { shiftKey: true }], [{}, { metaKey: true }, { altKey: true }]],
  ['MacIntel', [{ metaKey: true }, { ctrlKey: true }, { shiftKey: true }], [{}, { altKey: true }]],
])('[R-071] on %s a click opens a link in a tab with the keys that do so there', (platform, opens, passes) => {
  const { opened, click } = start(platform);
  expect(passes.map((keys) => click(keys))).toEqual(passes.map(() => false));
  expect(opened).toEqual([]);
  expect(opens.map((keys) => click(keys))).toEqual(opens.map(() => true));
  expect(opened).toEqual(opens.map(() => LINK));
});

it('[R-071] the middle button opens a link in a tab, the right one does not', () => {
  const { opened, click, stop } = start('Linux x86_64');
  expect([click({}, 2), click({ ctrlKey: true }, 2)]).toEqual([false, false]);
  expect(opened).toEqual([]);
  expect([click({}, 1), click({}, 1, '/https://b.test/x', 'area')]).toEqual([true, true]);
  expect(opened).toEqual([LINK, LINK]);
  stop();
  expect(click({}, 1)).toBe(false);
});

it('[S-094] only links to pages of the web open in tabs', () => {
  const { opened, click } = start('Linux x86_64');
  for (const href of [null, '#x', 'tel:1', 'https://b.test/x', '/__blank', '/__blob/https/b.test/1', '/r/pair'])
    expect([href, click({}, 1, href)]).toEqual([href, false]);
  expect(click({}, 1, '/https://b.test/x', 'button')).toBe(false);
  expect(opened).toEqual([]);
});
