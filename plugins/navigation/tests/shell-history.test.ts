import { describe, expect, it, vi } from 'vitest';
import { ShellHistory } from '../client/history.ts';
import type { NAVBAR_KINDS } from '../protocol.ts';

/** The history of a window, as in the standard, but synchronous. */
class TestWindow {
  readonly entries: { state: unknown; path: string }[] = [{ state: null, path: '/https://site.test/' }];
  at = 0;
  readonly history = {
    get: () => this.entries[this.at]!,
    pushState: (state: unknown, _title: string, path: string) => {
      this.entries.splice(this.at + 1, Infinity, { state, path });
      this.at += 1;
    },
    replaceState: (state: unknown, _title: string, path: string) => {
      this.entries[this.at] = { state, path };
    },
    go: (delta: number) => {
      this.go(delta);
    },
  };
  onPopState: (state: unknown) => void = () => undefined;

  constructor() {
    Object.defineProperty(this.history, 'state', { get: () => this.entries[this.at]!.state });
  }

  /** The person's back and forward buttons. */
  go(delta: number): void {
    if (!this.entries[this.at + delta]) return;
    this.at += delta;
    this.onPopState(this.entries[this.at]!.state);
  }

  get paths(): string[] {
    return this.entries.map(({ path }) => path);
  }
}

function start(prefix = '/', window = new TestWindow(), isRestored = false) {
  const asked: number[] = [];
  const history = new ShellHistory(window as unknown as Window, prefix, (entry) => asked.push(entry), isRestored);
  window.onPopState = (state) => history.moved(state);
  const url = (id: number): string => `https://site.test/${id}`;
  return {
    window,
    asked,
    history,
    update: (kind: (typeof NAVBAR_KINDS)[number], hid: number) => history.update({ kind, hid, url: url(hid) }),
    jump: (hid: number, delta: number) => history.jump({ hid, url: url(hid), delta }),
  };
}

describe("the shell's history", () => {
  it('adds an entry for each that the page adds, and updates the current one for others', () => {
    const { window, update } = start();
    update('replace', 1);
    expect(window.entries).toEqual([{ state: { hid: 1, url: 'https://site.test/1' }, path: '/https://site.test/1' }]);
    update('add', 2);
    update('pushstate', 3);
    expect(window.paths).toEqual([1, 2, 3].map((id) => `/https://site.test/${id}`));
    for (const kind of ['replace', 'reload', 'replacestate', 'stateupdate'] as const) {
      update(kind, 4);
      expect(window.paths).toHaveLength(3);
      expect(window.entries.at(-1)?.state).toEqual({ hid: 4, url: 'https://site.test/4' });
    }
    update('add', 4); // sent twice: the client has attached again
    expect(window.paths).toHaveLength(3);
  });

  it('[M-012] is below the multi-page app', () => {
    const { window, update } = start('/mpa/app/');
    update('replace', 1);
    expect(window.paths).toEqual(['/mpa/app/https://site.test/1']);
  });

  it('navigates the page when the person uses the buttons of the browser', () => {
    const { window, asked, update, jump } = start();
    for (const id of [1, 2, 3]) update(id === 1 ? 'replace' : 'add', id);
    window.go(-2);
    expect(asked).toEqual([1]);
    jump(1, -2); // the page has arrived there
    expect(window.at).toBe(0);
    window.go(1);
    expect(asked).toEqual([1, 2]);
    expect(window.paths).toHaveLength(3);
  });

  it('follows navigations of the page, without a request to it', () => {
    const { window, asked, update, jump } = start();
    for (const id of [1, 2, 3]) update(id === 1 ? 'replace' : 'add', id);
    jump(1, -2);
    expect(window.at).toBe(0);
    jump(3, 2);
    expect(window.at).toBe(2);
    expect(asked).toEqual([]);
  });

  it('keeps the entry to which the person has moved when an update for another one is late', () => {
    const { window, asked, history, update, jump } = start();
    for (const id of [1, 2]) update(id === 1 ? 'replace' : 'add', id);
    window.go(-1);
    for (const kind of ['replace', 'add'] as const)
      history.update({ kind, hid: 3, url: 'https://site.test/3', after: 2 });
    expect(window.paths).toEqual([1, 2].map((id) => `/https://site.test/${id}`));
    jump(1, -1);
    expect([asked, window.at]).toEqual([[1], 0]);
    history.update({ kind: 'add', hid: 4, url: 'https://site.test/4', after: 1 });
    expect(window.paths).toEqual([1, 4].map((id) => `/https://site.test/${id}`));
  });

  it('navigates the page back to where the shell is when the browser drops a move of the shell', () => {
    vi.useFakeTimers();
    try {
      const { window, asked, update, jump } = start();
      for (const id of [1, 2]) update(id === 1 ? 'replace' : 'add', id);
      window.history.go = () => undefined;
      jump(1, -1);
      vi.runAllTimers();
      expect([asked, window.at]).toEqual([[2], 1]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('drops later entries when the page navigates from the middle', () => {
    const { window, update, jump } = start();
    for (const id of [1, 2, 3]) update(id === 1 ? 'replace' : 'add', id);
    jump(2, -1);
    update('add', 4);
    expect(window.paths).toEqual([1, 2, 4].map((id) => `/https://site.test/${id}`));
  });

  it('continues after a reload of the shell, and ignores foreign state', () => {
    const first = start();
    for (const id of [1, 2]) first.update(id === 1 ? 'replace' : 'add', id);
    const { window, asked, history } = start('/', first.window);
    window.onPopState({ hid: 2, url: '' });
    for (const state of [null, 'text', { hid: 'x', url: '' }, { hid: 9 }]) history.moved(state);
    expect(asked).toEqual([]);
    window.go(-1);
    expect(asked).toEqual([1]);
  });

  it('navigates the page to the entry that the person returns to by loading the shell', () => {
    const first = start();
    for (const id of [1, 2]) first.update(id === 1 ? 'replace' : 'add', id);
    const { window, asked, update, jump } = start('/', first.window, true);
    update('replace', 7); // the page is still there
    expect([asked, window.paths.at(-1)]).toEqual([[2], '/https://site.test/2']);
    jump(2, -1);
    update('add', 3);
    expect([asked, window.paths]).toEqual([[2], [1, 2, 3].map((id) => `/https://site.test/${id}`)]);
    const again = start('/', window, true);
    again.update('replace', 3); // the page has arrived
    expect(again.asked).toEqual([]);
  });
});
