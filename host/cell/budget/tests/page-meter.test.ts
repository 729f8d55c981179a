import { beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../../core/protocol/errors.ts';
import { PAGE_BUDGETS, parsePageBudgets, WORK_KINDS } from '../../../base/page-budgets.ts';
import { CdpSession } from '../../../surrogate/cdp-session.ts';
import { PageSessions } from '../../page/page-sessions.ts';
import { MAX_REQUESTS, OpenRequests } from '../open-requests.ts';
import { PageMeter } from '../page-meter.ts';

let sent: [method: string, params: unknown][];
let sessions: PageSessions;
let page: CdpSession;
let meter: PageMeter;
let now: number;

const wire = {
  post: (_session: CdpSession, method: string, params?: object) => {
    sent.push([method, params]);
    return Promise.resolve({});
  },
  listens: () => undefined,
  fault: (error: unknown) => {
    throw error;
  },
};

beforeEach(async () => {
  sent = [];
  page = new CdpSession(wire, 's1');
  sessions = new PageSessions();
  meter = new PageMeter(sessions, PAGE_BUDGETS);
  await sessions.openPage(page);
  now = performance.now();
  meter.look(now);
});

/** Looks after a second in which the page has done something. */
function second(work: () => void): ReturnType<PageMeter['look']> {
  work();
  now += 1000;
  return meter.look(now);
}

const rates = (): unknown[] =>
  sent.filter(([method]) => method === 'Emulation.setCPUThrottlingRate').map(([, params]) => params);
const request = (id: string, url: string): void =>
  page.dispatch('Network.requestWillBeSent', { requestId: id, request: { url } });

describe('a page within its budgets', () => {
  it('is neither slowed nor ended', () => {
    for (let at = 0; at < 20; at++)
      expect(
        second(() => {
          for (const kind of WORK_KINDS)
            if (kind !== 'names' && kind !== 'requests') meter.spend(kind, PAGE_BUDGETS[kind].soft);
        }),
      ).toBeUndefined();
    expect(rates()).toEqual([]);
  });

  it('may be past them for a moment', () => {
    for (let at = 0; at < 4; at++) second(() => meter.spend('pictures', PAGE_BUDGETS.pictures.hard * 2));
    for (let at = 0; at < 4; at++) expect(second(() => undefined)).toBeUndefined();
    for (let at = 0; at < 4; at++)
      expect(second(() => meter.spend('pictures', PAGE_BUDGETS.pictures.hard * 2))?.action).not.toBe('end');
  });
});

describe('a page past its budgets', () => {
  it('is slowed past the soft one, and goes on at its own pace afterwards', () => {
    const over = (): void => meter.spend('fonts', PAGE_BUDGETS.fonts.soft + 1);
    expect(second(over)).toBeUndefined();
    expect(second(over)).toEqual({ kind: 'fonts', action: 'slow' });
    expect(rates()).toEqual([{ rate: 4 }]);
    expect(second(over)).toBeUndefined();
    for (let at = 0; at < 3; at++) second(() => undefined);
    expect(rates()).toEqual([{ rate: 4 }, { rate: 1 }]);
    expect(meter.isSlow).toBe(false);
  });

  it.each([
    [
      'messages',
      (): void => {
        page.received += PAGE_BUDGETS.messages.hard + 1;
      },
    ],
    ['sanitizing', (): void => meter.spend('sanitizing', 900)],
    [
      'names',
      (): void => {
        for (let at = 0; at < 400; at++) request(`${at}`, `https://n${at}.test/a?b`);
        for (let at = 0; at < 400; at++) page.dispatch('Network.loadingFinished', { requestId: `${at}` });
      },
    ],
    [
      'requests',
      (): void => {
        for (let at = 0; at < 600; at++) request(`${now} ${at}`, 'https://site.test/hangs');
      },
    ],
  ] as const)('is ended past the hard one for several seconds: %s', (kind, work) => {
    const verdicts = Array.from({ length: 10 }, () => second(work));
    const ended = verdicts.findIndex((verdict) => verdict?.action === 'end');
    expect(ended).toBeGreaterThanOrEqual(4);
    expect(verdicts[ended]).toEqual({ kind, action: 'end' });
  });

  it('is ended when it rests now and then', () => {
    const verdicts = Array.from({ length: 12 }, (_, at) =>
      second(() => meter.spend('pictures', at % 3 === 2 ? 0 : PAGE_BUDGETS.pictures.hard * 2)),
    );
    expect(verdicts.find((verdict) => verdict?.action === 'end')).toEqual({ kind: 'pictures', action: 'end' });
  });

  it('is judged anew when another page takes its place', async () => {
    const over = (): void => meter.spend('pictures', PAGE_BUDGETS.pictures.hard + 1);
    for (let at = 0; at < 4; at++) second(over);
    await sessions.openPage(page);
    for (let at = 0; at < 4; at++) expect(second(over)?.action).not.toBe('end');
  });

  it('slows no page that takes its place', async () => {
    const over = (): void => meter.spend('fonts', PAGE_BUDGETS.fonts.soft + 1);
    for (let at = 0; at < 2; at++) second(over);
    expect(rates()).toEqual([{ rate: 4 }]);
    await sessions.openPage(new CdpSession(wire, 's2'));
    expect(meter.isSlow).toBe(false);
    second(() => undefined);
    expect(rates()).toEqual([{ rate: 4 }]);
  });

  it('is not ended because the cell was busy for long', () => {
    page.received += PAGE_BUDGETS.messages.hard * 3;
    now += 60_000;
    expect(meter.look(now)).toBeUndefined();
  });
});

it('[L12] the names that are counted have a bound', async () => {
  sessions = new PageSessions();
  meter = new PageMeter(sessions, { ...PAGE_BUDGETS, names: { soft: 6000, hard: 6000 } });
  await sessions.openPage(page);
  const ask = (): void => {
    for (let at = 0; at < 7000; at++) {
      request(`${at}`, `https://n${at}.test/`);
      page.dispatch('Network.loadingFinished', { requestId: `${at}` });
    }
  };
  now = performance.now();
  for (let at = 0; at < 8; at++) expect(second(ask)?.kind).not.toBe('names');
});

describe('a worker of a page', () => {
  const NONE_KEPT = { maxTotalBufferSize: 0, maxResourceBufferSize: 0 };
  let worker: CdpSession;
  beforeEach(() => {
    const info = { targetId: 'w', type: 'worker', title: '', url: '', attached: true, canAccessOpener: false };
    worker = new CdpSession(wire, 's2', page, info);
    sent = [];
    page.announce({ session: worker, waitingForDebugger: true });
  });
  const enabled = (): unknown[] => sent.filter(([method]) => method === 'Network.enable').map(([, params]) => params);
  const asks = (id: string, url: string): void =>
    worker.dispatch('Network.requestWillBeSent', { requestId: id, request: { url } });

  it('reports its requests, of which no body is kept', () => {
    expect(enabled()).toEqual([NONE_KEPT]);
  });

  it.each([
    ['messages', (): unknown => (worker.received += PAGE_BUDGETS.messages.hard + 1)],
    ['names', (): void => void Array.from({ length: 400 }, (_, at) => asks(`${at}`, `wss://n${at}.test/`))],
    ['requests', (): void => void Array.from({ length: 600 }, (_, at) => asks(`${now} ${at}`, 'https://site.test/'))],
  ] as const)('spends what its page may spend: %s', (kind, work) => {
    const verdicts = Array.from({ length: 10 }, () =>
      second(() => {
        work();
        if (kind === 'names')
          for (let at = 0; at < 400; at++) worker.dispatch('Network.webSocketClosed', { requestId: `${at}` });
      }),
    );
    expect(verdicts.find((verdict) => verdict?.action === 'end')).toEqual({ kind, action: 'end' });
  });

  it('counts to its end, and its requests end with it', () => {
    const workers: CdpSession[] = [];
    const again = (): void => {
      const info = { targetId: 'w', type: 'worker', title: '', url: '', attached: true, canAccessOpener: false };
      const next = new CdpSession(wire, `w${workers.push(worker)}`, page, info);
      page.announce({ session: next, waitingForDebugger: true });
      next.received += PAGE_BUDGETS.messages.hard + 1;
      next.close(new AppError('cdp-closed', 'over'));
    };
    const verdicts = Array.from({ length: 10 }, () => second(again));
    expect(verdicts.find((verdict) => verdict?.action === 'end')).toEqual({ kind: 'messages', action: 'end' });
    for (let at = 0; at < 600; at++) asks(`${at}`, 'https://site.test/');
    worker.close(new AppError('cdp-closed', 'over'));
    for (let at = 0; at < 10; at++) expect(second(() => undefined)).toBeUndefined();
  });

  it('has no pace of its own to be slowed', () => {
    for (let at = 0; at < 3; at++) second(() => meter.spend('fonts', PAGE_BUDGETS.fonts.soft + 1));
    expect(rates()).toEqual([{ rate: 4 }]); // of the page alone
  });
});

it('[L12] the requests that are counted have a bound, and are forgotten after a minute', () => {
  const requests = new OpenRequests();
  for (let at = 0; at < MAX_REQUESTS + 10; at++) requests.begun(page, String(at), at < 100 ? 0 : 30_000);
  expect(requests.count(30_000)).toBe(MAX_REQUESTS);
  requests.ended(page, '200');
  expect(requests.count(61_000)).toBe(MAX_REQUESTS - 101);
  requests.forget(page);
  expect(requests.count(61_000)).toBe(0);
});

it('budgets are read from options, and wrong ones are refused', () => {
  expect(parsePageBudgets(['names=5/10'])).toEqual({ ...PAGE_BUDGETS, names: { soft: 5, hard: 10 } });
  for (const wrong of ['names', 'names=5', 'names=10/5', 'names=0/5', 'other=1/2', 'names=1/2x'])
    expect(() => parsePageBudgets([wrong])).toThrow(expect.objectContaining({ code: 'bad-option' }));
});
