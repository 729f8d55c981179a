import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { pluginHarness } from '../../../core/testing/harness.ts';
import type { QuestionProps } from '../../../core/index.ts';
import { showWindows } from '../client/shown-windows.ts';
import { manifest } from '../manifest.ts';
import { allowTabOpen, tabClose } from '../protocol.ts';
import type { PopupRequest } from '../protocol.ts';

const PID = 'p'.padEnd(44, 'x');
const REQUEST: PopupRequest = {
  id: 1,
  user_initiated: true,
  uri_origin: 'https://site.test',
  target_uri: 'https://b.test/x',
  feature_str: '{"width":300}',
  pairing_dict: { pid: PID },
  has_opener: true,
};
const ASKED: PopupRequest = { ...REQUEST, user_initiated: false, pairing_dict: {} };

interface View {
  closed: boolean;
  opener: unknown;
  readonly close: () => void;
}

function start({ refuses = false } = {}) {
  const calls: unknown[][] = [];
  const views: View[] = [];
  const blocker = { refuses };
  const harness = pluginHarness(manifest, {
    openTab: (...call) => {
      calls.push(call);
      if (blocker.refuses || call[2]?.includes('noopener') === true) return null;
      const view: View = {
        closed: false,
        opener: 'this',
        close: () => void (view.closed = true),
      };
      views.push(view);
      return view as unknown as Window; // the parts that are used
    },
  });
  const sent: unknown[] = [];
  harness.host.commands.handle(allowTabOpen, (params) => void sent.push(params));
  harness.host.commands.handle(tabClose, ({ id }) => void sent.push(`closed ${id}`));
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 5; turn += 1) await harness.flush();
  };
  const windows = showWindows(harness.client);
  const asked = (): readonly Pick<QuestionProps, 'title' | 'text'>[] =>
    harness.overlay.asked.map(({ props }) => props as QuestionProps);
  return { ...harness, windows, calls, views, blocker, asked, settle, sent: () => sent.splice(0) };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const page = { closed: false };
  vi.stubGlobal('self', page);
  vi.stubGlobal('top', page);
  vi.stubGlobal('navigator', { userActivation: { isActive: true } });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('a window of the page', () => {
  it('[M-024] [M-082] is opened at once in the gesture of the person, with its features', async () => {
    const { windows, calls, sent, settle, asked } = start();
    await windows.open(REQUEST);
    await settle();
    expect(calls).toEqual([[`/https://b.test/x?_sv_p_id=${PID}`, PID, 'width=300']]);
    expect(sent()).toEqual([{ id: 1, allowed: true }]);
    expect(asked()).toEqual([]);
  });

  it('[M-024] is a tab where its features are invalid, which is reported', async () => {
    const { windows, calls, events } = start();
    await windows.open({ ...REQUEST, feature_str: '{"width":"wide"}' });
    expect(calls[0]?.[2]).toBe('');
    expect(events.map(({ name }) => name)).toEqual(['tc-popup-features-invalid']);
  });

  it('[R-006] [M-048] is asked for where the person’s browser refuses it, and Allow is the gesture', async () => {
    const { windows, blocker, asked, overlay, sent, settle, views } = start({ refuses: true });
    void windows.open(REQUEST);
    await settle();
    expect(asked()).toMatchObject([{ title: 'popups.title', text: 'popups.text' }]);
    blocker.refuses = false;
    overlay.asked[0]?.answer(true);
    await settle();
    expect(views).toHaveLength(1);
    expect(sent()).toEqual([{ id: 1, allowed: true }]);
  });

  it('[R-006] without an opener is asked for where the gesture has gone: nothing would say that it was refused', async () => {
    vi.stubGlobal('navigator', { userActivation: { isActive: false } });
    const { windows, asked, calls, settle } = start();
    void windows.open({ ...REQUEST, has_opener: false });
    await settle();
    expect(asked()).toHaveLength(1);
    expect(calls).toEqual([]);
    vi.stubGlobal('navigator', { userActivation: { isActive: true } });
    await windows.open({ ...REQUEST, id: 2, has_opener: false });
    expect(calls[0]?.[2]).toBe('noopener,width=300');
  });

  it('[M-050] is reported within 400 ms once the person has closed it, and once only', async () => {
    const { windows, views, sent, settle } = start();
    await windows.open(REQUEST);
    windows.init({ id: 1, pairing_dict: { pid: PID }, target_uri: REQUEST.target_uri });
    await settle();
    sent();
    vi.advanceTimersByTime(4000);
    views[0]!.closed = true;
    vi.advanceTimersByTime(399);
    await settle();
    expect(sent()).toEqual([]);
    vi.advanceTimersByTime(1);
    await settle();
    expect(sent()).toEqual(['closed 1']);
    vi.advanceTimersByTime(4000);
    await settle();
    expect(sent()).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('[M-050] is reported of each one: of those that are left, and of those that come after', async () => {
    const { windows, views, sent, settle } = start();
    const show = async (id: number): Promise<void> => {
      await windows.open({ ...REQUEST, id });
      windows.init({ id, pairing_dict: { pid: PID }, target_uri: REQUEST.target_uri });
    };
    const closes = async (at: number): Promise<unknown[]> => {
      await settle();
      sent();
      views[at]!.closed = true;
      vi.advanceTimersByTime(400);
      await settle();
      return sent();
    };
    await show(1);
    await show(2);
    expect(await closes(0)).toEqual(['closed 1']);
    expect(await closes(1)).toEqual(['closed 2']);
    await show(3);
    expect(await closes(2)).toEqual(['closed 3']);
  });

  it('[M-083] is closed with the surrogate’s', async () => {
    const { windows, views } = start();
    await windows.open(REQUEST);
    await windows.close(1);
    await windows.close(7); // none
    expect(views[0]?.closed).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('[M-065] is not closed by a client in a frame', async () => {
    vi.stubGlobal('top', {});
    const { windows, views } = start();
    await windows.open(REQUEST);
    await windows.close(1);
    expect(views[0]?.closed).toBe(false);
  });
});

describe('a window that the person is asked for', () => {
  it('[R-006] [M-083] is opened empty by Allow, and led to its page once that is there', async () => {
    const { windows, calls, overlay, settle, sent, views } = start();
    void windows.open(ASKED);
    await settle();
    overlay.asked[0]?.answer(true);
    await settle();
    expect(calls).toEqual([['about:blank', undefined, 'width=300', 'popup tab 1']]);
    expect(sent()).toEqual([{ id: 1, allowed: true }]);
    windows.init({ id: 1, pairing_dict: { pid: PID }, target_uri: ASKED.target_uri });
    expect(calls[1]).toEqual([`/https://b.test/x?_sv_p_id=${PID}`, PID, '', 'popup tab 1']);
    expect(views[0]?.opener).toBe('this');
  });

  it('[M-083] has no opener where the page has wanted none', async () => {
    const { windows, overlay, settle, views } = start();
    void windows.open({ ...ASKED, has_opener: false });
    await settle();
    overlay.asked[0]?.answer(true);
    await settle();
    windows.init({ id: 1, pairing_dict: { pid: PID }, target_uri: ASKED.target_uri });
    expect(views[0]?.opener).toBeNull();
  });

  it.each([false, undefined])('[M-048] is denied by the answer %s', async (answer) => {
    const { windows, calls, overlay, settle, sent } = start();
    void windows.open(ASKED);
    await settle();
    overlay.asked[0]?.answer(answer);
    await settle();
    expect(sent()).toEqual([{ id: 1, allowed: false }]);
    expect(calls).toEqual([]);
  });

  it('[M-048] is not asked for twice, and no longer once the request is gone', async () => {
    const { windows, asked, settle, sent } = start();
    void windows.open(ASKED);
    void windows.open(ASKED);
    await settle();
    expect(asked()).toHaveLength(1);
    await windows.close(1);
    await settle();
    expect(asked()).toEqual([]);
    expect(sent()).toEqual([]);
  });
});
