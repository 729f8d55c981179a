import { beforeEach, describe, expect, it } from 'vitest';
import type { Renderer } from '../../../core/index.ts';
import { watchApplicationLinks } from '../client/application-links.ts';

type Listener = (event: object) => void;

/** Documents of a view, as far as links need them: an event can be made trusted here. */
const listeners = new Map<string, { readonly run: Listener; readonly signal: AbortSignal }>();
let undoDocument: (() => void) | undefined;
const document = {
  addEventListener: (type: string, run: Listener, { signal }: { readonly signal: AbortSignal }) =>
    void listeners.set(type, { run, signal }),
};
const renderer = {
  documents: (added: (frame: object) => () => void) => {
    undoDocument = added({ document });
    return undoDocument;
  },
} as unknown as Renderer; // the part that is used

let opened: string[];
beforeEach(() => {
  opened = [];
  listeners.clear();
});
const watch = (allowed: readonly string[] = ['tel']): (() => void) =>
  watchApplicationLinks(renderer, allowed, (address) => void opened.push(address));

/** Lets an event happen within a link; returns whether the browser does nothing by itself. */
function act(
  type: string,
  event: object = {},
  attributes: Readonly<Record<string, string>> = { href: 'tel:1' },
  localName = 'a',
) {
  let isPrevented = false;
  const link = { localName, getAttribute: (name: string) => attributes[name] ?? null };
  const known = listeners.get(type);
  if (!known?.signal.aborted)
    known?.run({
      ...{ isTrusted: true, button: 0, key: 'Enter', repeat: false },
      composedPath: () => [{ localName: 'b' }, link, document],
      preventDefault: () => void (isPrevented = true),
      ...event,
    });
  return isPrevented;
}

describe('a link of an application of the person’s', () => {
  it.each([
    ['click', 'a', { href: 'tel:1' }],
    ['keydown', 'a', { href: 'tel:1' }],
    ['click', 'area', { href: 'tel:1' }],
    ['click', 'a', { 'xlink:href': 'tel:1' }],
  ] as const)('is opened once by %s on %s', (type, localName, attributes) => {
    watch();
    expect(act(type, {}, attributes, localName)).toBe(true);
    expect(opened).toEqual(['tel:1']);
  });

  it.each([
    ['a click by a script', 'click', { isTrusted: false }],
    ['Enter by a script', 'keydown', { isTrusted: false }],
    ['the middle button', 'click', { button: 1 }],
    ['another button', 'click', { button: 2 }],
    ['a key that is held', 'keydown', { repeat: true }],
    ['another key', 'keydown', { key: ' ' }],
    ['a click beside a link', 'click', { composedPath: () => [{ localName: 'p', getAttribute: () => 'tel:1' }] }],
  ])('is not opened by %s', (_what, type, event) => {
    watch();
    expect(act(type, event)).toBe(false);
    expect(opened).toEqual([]);
  });

  it.each(['mailto:a@b.test', 'javascript:alert(1)', 'https://site.test/', '#a', ''])(
    'is none that the policy does not name: %s',
    (href) => {
      watch(['tel', 'javascript']);
      expect(act('click', {}, { href })).toBe(false);
      expect(opened).toEqual([]);
    },
  );

  it('is not looked for where the policy names none', () => {
    watch([]);
    expect(listeners.size).toBe(0);
  });

  it('is not opened any more once the plugin, or its document, is gone', () => {
    const undo = watch();
    undo();
    act('click');
    act('keydown');
    expect(opened).toEqual([]);
  });
});
