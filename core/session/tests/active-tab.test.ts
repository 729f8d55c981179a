import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { electActiveTab } from '../tab/active-tab.ts';

const COOKIE = 'vitrine_active';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A tab without focus, with one document in its view; `cookies` are shared with other tabs. */
function open(cookies: Map<string, string>) {
  const window = Object.assign(new EventTarget(), { document: { hasFocus: () => false } });
  const inner = new EventTarget();
  const changes: string[] = [];
  for (const name of ['window-became-active', 'window-became-passive'])
    window.addEventListener(name, () => changes.push(name));
  const undo = electActiveTab({
    window: window as unknown as Window & typeof globalThis, // all that it uses
    readCookie: (name) => cookies.get(name),
    writeCookie: (name, value) => void cookies.set(name, value),
    documents: (visit) => void visit(inner as Document),
  });
  return { window, inner, changes, undo };
}

describe('the election of the active tab', () => {
  it.each(['focus', 'focusin', 'keydown', 'mousemove', 'scroll'])(
    '[S-065] takes %s for use, in the shell and in the documents of its view',
    (sign) => {
      for (const of of ['window', 'inner'] as const) {
        const cookies = new Map<string, string>();
        const tab = open(cookies);
        tab[of].dispatchEvent(new Event(sign));
        tab[of].dispatchEvent(new Event(sign));
        expect(tab.changes).toEqual(['window-became-active']);
        expect(cookies.get(COOKIE)).toMatch(/^[\w-]{16}$/);
        tab.undo();
      }
    },
  );

  it('[S-065] takes nothing else for use', () => {
    const cookies = new Map<string, string>();
    const { window, changes, undo } = open(cookies);
    for (const sign of ['blur', 'pointerdown', 'resize']) window.dispatchEvent(new Event(sign));
    expect([changes, cookies.size]).toEqual([[], 0]);
    undo();
  });

  it('[S-065] [S-066] looks every 200 ms whether another tab is the active one, and is it again once it is used', () => {
    const cookies = new Map<string, string>();
    const { window, changes, undo } = open(cookies);
    window.dispatchEvent(new Event('keydown'));
    const own = cookies.get(COOKIE);
    vi.advanceTimersByTime(1000);
    cookies.set(COOKIE, 'another');
    vi.advanceTimersByTime(199);
    expect(changes).toEqual(['window-became-active']);
    vi.advanceTimersByTime(1);
    expect(changes).toHaveLength(2);
    vi.advanceTimersByTime(1000);
    expect(changes).toEqual(['window-became-active', 'window-became-passive']);
    window.dispatchEvent(new Event('scroll'));
    expect(cookies.get(COOKIE)).toBe(own);
    vi.advanceTimersByTime(1000);
    expect(changes.slice(2)).toEqual(['window-became-active']);
    undo();
  });
});
