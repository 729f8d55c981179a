import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../../core/protocol/errors.ts';
import { TO_CELL } from '../../cells/protocol.ts';
import type { Worker } from '../../cells/cells.ts';
import type { CallOptions, CallResult, LinkPeer } from '../../link/api.ts';
import { linkPair } from '../../link/tests/memory.ts';
import { ANNA, pairRequest, serveSite, startWorker, TestClient } from './harness.ts';

type Call = LinkPeer['call'];
/** Stands before the calls of the gateway to a cell. */
type Fault = (call: Call, ...asked: [string, unknown, CallOptions | undefined]) => Promise<CallResult>;

const CHANGING: readonly string[] = [TO_CELL.begin, TO_CELL.pair, TO_CELL.unpair];

/** The first call of a method is answered, and the answer lost. */
const losing = (method: string): Fault => {
  let lost = 0;
  return async (call, ...asked) => {
    const answer = await call(...asked);
    if (asked[0] === method && lost++ === 0) throw new AppError('link-timeout', 'lost by the test');
    return answer;
  };
};

/** The first call of a method has no time. */
const hurrying = (method: string): Fault => {
  let late = 0;
  return (call, name, params, options) =>
    call(name, params, name === method && late++ === 0 ? { ...options, deadlineMs: 1 } : options);
};

/** Methods that change something are called twice, at once. */
const doubling: Fault = async (call, ...asked) => {
  const first = call(...asked);
  if (!CHANGING.includes(asked[0])) return first;
  const [, second] = await Promise.all([first, call(...asked)]);
  return second;
};

describe('a call to a cell whose answer is lost or late', () => {
  let site: Awaited<ReturnType<typeof serveSite>>;
  let started: Awaited<ReturnType<typeof startWorker>> | undefined;
  beforeAll(async () => {
    site = await serveSite(() => '<!doctype html><p>hello');
  });
  afterEach(() => started?.stop());
  afterAll(() => site.close());

  const workerWith = async (fault: Fault, tabsPerPerson = 20): Promise<Worker> => {
    const link = async (): Promise<readonly [LinkPeer, LinkPeer]> => {
      const [gateway, cell] = linkPair();
      const call = gateway.call.bind(gateway);
      gateway.call = (...asked) => fault(call, ...(asked as [string, unknown, CallOptions | undefined]));
      return [gateway, cell];
    };
    started = await startWorker({ link, limits: { tabsPerPerson } });
    return started.worker;
  };
  const attempt = (name: string) => pairRequest(site.url('one.test'), { attempt: name });

  it.each([
    ['lost', losing(TO_CELL.pair)],
    ['late', hurrying(TO_CELL.pair)],
  ])('gets the one tab that a pair has opened whose answer was %s', async (_what, fault) => {
    const worker = await workerWith(fault);
    expect(await worker.pair(ANNA, attempt('a'))).toEqual({ error: 'pairing_retry' });
    const answer = await worker.pair(ANNA, attempt('a'));
    expect(answer).toMatchObject({ version: 'ok' });
    expect(await worker.pair(ANNA, attempt('a'))).toEqual(answer);
    expect(worker.counts()).toMatchObject({ tabs: 1 });
    expect(await new TestClient(worker, ANNA, answer).attach()).toBe(true);

    const other = await worker.pair(ANNA, attempt('b'));
    expect(other.tab_id).not.toBe(answer.tab_id);
    expect(worker.counts()).toMatchObject({ tabs: 2 });
  });

  it('goes on with an attempt that has got no tab', async () => {
    const worker = await workerWith((call, ...asked) => call(...asked), 1);
    const first = await worker.pair(ANNA, attempt('a'));
    await new TestClient(worker, ANNA, first).attach(); // else it makes room
    expect(await worker.pair(ANNA, attempt('b'))).toEqual({ error: 'tab_limit' });
    await worker.unpair(ANNA, { safe_rid: first.safe_rid ?? '' });
    expect(await worker.pair(ANNA, attempt('b'))).toMatchObject({ version: 'ok' });
  });

  it('unpairs once, however often it is asked to', async () => {
    const worker = await workerWith(losing(TO_CELL.unpair));
    const { safe_rid = '' } = await worker.pair(ANNA, attempt('a'));
    await expect(worker.unpair(ANNA, { safe_rid })).rejects.toMatchObject({ code: 'link-timeout' });
    await worker.unpair(ANNA, { safe_rid });
    await expect(worker.unpair(ANNA, { safe_rid: 'x' })).rejects.toMatchObject({ code: 'session-not-found' });
    expect(worker.counts()).toMatchObject({ tabs: 0 });
  });

  it('begins, pairs and unpairs once where each such call arrives twice', async () => {
    const worker = await workerWith(doubling);
    const { safe_rid = '' } = await worker.pair(ANNA, attempt('a'));
    expect(worker.counts()).toMatchObject({ sessions: 1, tabs: 1 });
    await worker.unpair(ANNA, { safe_rid });
    expect(worker.counts()).toMatchObject({ tabs: 0 });
  });
});
