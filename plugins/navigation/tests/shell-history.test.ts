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

const POLICY = { entry_action: 'read_write' };
const stateOf = (hid: number) => ({ hid, url: `https://site.test/${hid}`, persistent_policy: POLICY });

function start(prefix = '/', window = new TestWindow(), isRestored = false) {
  const asked: number[] = [];
  const history = new ShellHistory(window as unknown as Window, prefix, ({ hid }) => asked.push(hid), isRestored);
  window.onPopState = (state) => history.moved(state);
  const url = (id: number): string => `https://site.test/${id}`;
  return {
    window,
    asked,
    history,
    update: (kind: (typeof NAVBAR_KINDS)[number], hid: number) =>
      history.inEntry(() => history.update({ kind, hid, url: url(hid), persistent_policy: POLICY })),
    jump: (hid: number, delta: number, persistent_policy: object = POLICY) =>
      history.inEntry(() => history.jump({ hid, url: url(hid), persistent_policy, delta })),
  };
}

describe("the shell's history", () => {
  it('[M-025] [M-088] adds an entry for each that the page adds, with name, address and policy, and updates the current one for others', () => {
    const { window, update } = start();
    update('replace', 1);
    expect(window.entries).toEqual([{ state: stateOf(1), path: '/https://site.test/1' }]);
    update('add', 2);
    update('pushstate', 3);
    expect(window.paths).toEqual([1, 2, 3].map((id) => `/https://site.test/${id}`));
    for (const kind of ['replace', 'reload', 'replacestate', 'stateupdate'] as const) {
      update(kind, 4);
      expect(window.paths).toHaveLength(3);
      expect(window.entries.at(-1)?.state).toEqual(stateOf(4));
    }
    update('add', 4); // sent twice: the client has attached again
    expect(window.paths).toHaveLength(3);
  });

  it('[M-025] keeps the policy of an entry as it is when the page goes to it', () => {
    const { window, update, jump } = start();
    for (const id of [1, 2]) update(id === 1 ? 'replace' : 'add', id);
    const policy = { entry_action: 'read_only' };
    jump(1, -1, policy);
    expect(window.entries.map(({ state }) => state)).toEqual([
      { ...stateOf(1), persistent_policy: policy },
      stateOf(2),
    ]);
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
      history.update({ kind, hid: 3, url: 'https://site.test/3', persistent_policy: POLICY, after: 2 });
    expect(window.paths).toEqual([1, 2].map((id) => `/https://site.test/${id}`));
    jump(1, -1);
    expect([asked, window.at]).toEqual([[1], 0]);
    history.update({ kind: 'add', hid: 4, url: 'https://site.test/4', persistent_policy: POLICY, after: 1 });
    expect(window.paths).toEqual([1, 4].map((id) => `/https://site.test/${id}`));
  });

  it('keeps the entry to which the person has moved before the host has learnt where the shell is, after a reload of it', () => {
    const first = start();
    for (const id of [1, 2]) first.update(id === 1 ? 'replace' : 'add', id);
    first.window.go(-1);
    const { window, asked, update, jump } = start('/', first.window);
    window.go(1);
    update('replace', 1); // the page, as the host has seen it
    expect(window.paths).toEqual([1, 2].map((id) => `/https://site.test/${id}`));
    jump(2, 0);
    update('replace', 3);
    expect([asked, window.paths]).toEqual([[2], [1, 3].map((id) => `/https://site.test/${id}`)]);
  });

  it('navigates the page back to where the shell is when the browser drops a move of the shell', () => {
    vi.useFakeTimers();
    try {
      const { window, asked, update, jump } = start();
      for (const id of [1, 2]) update(id === 1 ? 'replace' : 'add', id);
      window.history.go = () => undefined;
      jump(1, -1);
      vi.advanceTimersByTime(60_000);
      expect([asked, window.at]).toEqual([[2], 1]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('[M-088] waits until it has moved before it adds an entry: a browser moves later', () => {
    const { window, asked, update, jump } = start();
    for (const id of [1, 2, 3]) update(id === 1 ? 'replace' : 'add', id);
    const moves: number[] = [];
    window.history.go = (delta) => void moves.push(delta);
    jump(2, -1);
    update('add', 4);
    jump(2, -1);
    expect([moves, window.at]).toEqual([[-1], 2]);
    window.go(-1);
    expect([moves, window.paths]).toEqual([[-1, -1], [1, 2, 4].map((id) => `/https://site.test/${id}`)]);
    window.go(-1);
    expect([asked, window.at]).toEqual([[], 1]);
  });

  it('takes the address of the entry that it has moved to, which may be another since', () => {
    const { window, history, update } = start();
    for (const id of [1, 2]) update(id === 1 ? 'replace' : 'add', id);
    history.jump({ hid: 1, url: 'https://site.test/redirected', persistent_policy: POLICY, delta: -1 });
    expect(window.paths).toEqual(['/https://site.test/redirected', '/https://site.test/2']);
  });

  it('lets others act in the entry of the page: once it has moved there', () => {
    const { window, history, update, jump } = start();
    for (const id of [1, 2]) update(id === 1 ? 'replace' : 'add', id);
    window.history.go = () => undefined;
    const acted: unknown[] = [];
    const act = (): void => void acted.push(window.at);
    history.inEntry(act);
    jump(1, -1);
    history.inEntry(act);
    expect(acted).toEqual([1]);
    window.go(-1);
    expect(acted).toEqual([1, 0]);
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
