import { afterEach, expect, it, vi } from 'vitest';
import { untilHeld } from '../../../core/testing/until-held.ts';
import { AppError } from '../../../core/protocol/errors.ts';
import { decoderHere, sharpHere } from '../../decoder/tests/in-process.ts';
import type { LinkAnswer, LinkPeer } from '../../link/api.ts';
import { linkPair } from '../../link/tests/memory.ts';
import { silent } from '../../surrogate/tests/fixture.ts';
import type { CellExit, StartCell } from '../cell-process.ts';
import { createDecoders } from '../decoders.ts';
import type { Decoders } from '../decoders.ts';
import { readBody, TO_DECODER } from '../protocol.ts';
import { codeOf } from './service-starters.ts';
import { PATIENCE_MS } from '../../../core/testing/patience.ts';

const FORM = { format: 'png', quality: 80, maxSide: 100 } as const;
const FILE = await sharpHere()({ create: { width: 6, height: 4, channels: 3, background: 'red' } })
  .png()
  .toBuffer();

/** A process of a test: it ends as real ones do. */
interface Played {
  readonly own: LinkPeer;
  end(reason: string): void;
  readonly killed: () => boolean;
}

let decoders: Decoders | undefined;
afterEach(() => {
  vi.useRealTimers();
  return decoders?.close();
});
/** Time passes as the test says, for timers alone. */
const holdTimers = (): unknown => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });

/** Processes whose answers a test gives. */
function played(answer: (request: number) => Promise<LinkAnswer> | LinkAnswer): {
  readonly start: StartCell;
  readonly processes: Played[];
  readonly jobs: number[];
} {
  const processes: Played[] = [];
  const jobs: number[] = [];
  const start: StartCell = async () => {
    const [peer, own] = linkPair();
    const exit = Promise.withResolvers<CellExit>();
    let isKilled = false;
    own.handle(TO_DECODER.picture, () => {
      jobs.push(jobs.length);
      return answer(jobs.length - 1);
    });
    processes.push({
      own,
      end: (reason) => {
        own.close(reason);
        exit.resolve({ code: null, signal: 'SIGKILL', reason });
      },
      killed: () => isKilled,
    });
    return {
      peer,
      exited: exit.promise,
      setUp: async () => undefined,
      kill: async () => {
        isKilled = true;
        own.close('killed');
        exit.resolve({ code: null, signal: 'SIGKILL' });
      },
    };
  };
  return { start, processes, jobs };
}

const made = (): LinkAnswer => ({ value: { width: 6, height: 4 }, body: Buffer.from('made') });
const never = (): Promise<LinkAnswer> => new Promise(() => undefined);

interface Asked {
  readonly done: Promise<Buffer>;
  readonly leave: () => void;
}

function opened(start: StartCell, options: { pictureMs?: number; idleMs?: number } = {}) {
  const faults: string[] = [];
  decoders = createDecoders({ start, onFault: (_from, code) => faults.push(code), log: silent, ...options });
  const person = decoders.forPerson();
  const ask = (params: unknown = FORM): Asked => {
    const leaving = new AbortController();
    const body = Object.assign(
      (async function* () {
        yield FILE;
      })(),
      { abort: () => undefined },
    );
    const done = person.convert({ params, body, signal: leaving.signal }).then(({ body }) => {
      if (!body) throw new Error('no body');
      return readBody(body instanceof Uint8Array ? undefined : body, 1e6);
    });
    done.catch(() => undefined);
    return { done, leave: () => leaving.abort() };
  };
  return { person, ask, faults, decoders };
}

it('starts with the first picture, converts those that follow, and ends when there are no more', async () => {
  let starts = 0;
  const start = decoderHere();
  const counted: StartCell = () => {
    starts += 1;
    return start();
  };
  holdTimers();
  const { ask, decoders } = opened(counted, { idleMs: 50 });
  expect([starts, decoders.running]).toEqual([0, 0]);
  const all = await Promise.all(Array.from({ length: 4 }, () => ask().done));
  expect([starts, decoders.running]).toEqual([1, 1]);
  for (const bytes of all) expect(await sharpHere()(bytes).metadata()).toMatchObject({ width: 6, height: 4 });
  await vi.advanceTimersByTimeAsync(50);
  await expect.poll(() => decoders.running).toBe(0);
  await ask().done;
  expect(starts).toBe(2);
});

it('is one for each person', async () => {
  const { start, processes } = played(made);
  const { ask, decoders } = opened(start);
  const others = decoders.forPerson();
  await ask().done;
  await others.convert({ params: FORM, signal: new AbortController().signal });
  expect(processes).toHaveLength(2);
  others.close();
  await vi.waitFor(() => expect(processes.map(({ killed }) => killed())).toEqual([false, true]), PATIENCE_MS);
});

it('fails a picture in whose middle it ends, so that it may be asked for again, and goes on with the next', async () => {
  const { start, processes } = played((job) => (job === 0 ? never() : made()));
  const { ask, faults } = opened(start);
  const [first, second] = [ask(), ask()];
  await vi.waitFor(() => expect(processes).toHaveLength(1), PATIENCE_MS);
  processes[0]?.end('memory');
  await expect(first.done).rejects.toMatchObject({ code: 'decoder-ended', retryable: true });
  expect((await second.done).toString()).toBe('made');
  expect(faults).toEqual(['decoder-ended']);
  expect(processes).toHaveLength(2);
});

it('is ended by a picture that takes too long, also where its answer never ends', async () => {
  const endless = async function* (): AsyncGenerator<Uint8Array> {
    yield Buffer.from('m');
    await new Promise(() => undefined);
  };
  const answers = [never, () => ({ ...made(), body: endless() }), made];
  const { start, processes, jobs } = played((job) => answers[job]?.() ?? made());
  const { ask } = opened(start, { pictureMs: 100 });
  holdTimers();
  const asked = [ask(), ask(), ask()];
  for (const [at, { done }] of asked.slice(0, 2).entries()) {
    await untilHeld(() => jobs.length > at);
    await vi.advanceTimersByTimeAsync(100);
    await expect(done).rejects.toMatchObject({ code: 'resource-timeout', retryable: true });
  }
  expect((await asked[2]?.done)?.toString()).toBe('made');
  expect(processes.map(({ killed }) => killed())).toEqual([true, true, false]);
});

it('takes one picture at a time, and refuses those that are one too many', async () => {
  const { promise, resolve } = Promise.withResolvers<LinkAnswer>();
  const { start, jobs } = played((job) => (job === 0 ? promise : made()));
  const { ask } = opened(start);
  const asked = Array.from({ length: 70 }, () => ask());
  await vi.waitFor(() => expect(jobs).toHaveLength(1), PATIENCE_MS);
  expect(await codeOf(asked.at(-1)?.done ?? Promise.resolve())).toBe('resource-busy');
  asked[3]?.leave();
  expect(await codeOf(asked[3]?.done ?? Promise.resolve())).not.toBe('none');
  resolve(made());
  const codes = await Promise.all(asked.map(({ done }) => codeOf(done)));
  expect(codes.filter((code) => code === 'none')).toHaveLength(64);
  expect(codes.filter((code) => code === 'resource-busy')).toHaveLength(5);
  expect(jobs).toHaveLength(64);
});

it('gives the turn on when those who have it leave', async () => {
  const { start, jobs } = played((job) => (job < 2 ? never() : made()));
  const { ask } = opened(start);
  const asked = [ask(), ask(), ask()];
  await vi.waitFor(() => expect(jobs).toHaveLength(1), PATIENCE_MS);
  asked[0]?.leave();
  await vi.waitFor(() => expect(jobs).toHaveLength(2), PATIENCE_MS);
  asked[1]?.leave();
  expect((await asked[2]?.done)?.toString()).toBe('made');
});

it('gives the turn on when the next one leaves in the same moment', async () => {
  const { start, jobs } = played((job) => (job === 0 ? never() : made()));
  const { ask } = opened(start);
  const asked = [ask(), ask(), ask()];
  await vi.waitFor(() => expect(jobs).toHaveLength(1), PATIENCE_MS);
  for (const { leave } of asked.slice(0, 2)) leave();
  expect((await asked[2]?.done)?.toString()).toBe('made');
  expect(jobs).toHaveLength(2);
});

it('is not started without end by files that end it', async () => {
  const { start, processes } = played(() => {
    processes.at(-1)?.end('crash');
    return never();
  });
  const { ask } = opened(start);
  const codes: string[] = [];
  for (let n = 0; n < 14; n++) codes.push(await codeOf(ask().done));
  expect(codes.slice(0, 10)).toEqual(Array(10).fill('decoder-ended'));
  expect(codes.slice(10)).toEqual(Array(4).fill('resource-busy'));
  expect(processes).toHaveLength(10);
});

it('passes on no words of its process, and no answer out of shape', async () => {
  const answers = [
    () => Promise.reject(new AppError('resource-type', 'forged <b>text</b>', { data: { forged: true } })),
    () => Promise.reject(new AppError('forged-code', 'forged')),
    () => ({ ...made(), value: { width: -1, height: 'x' } }),
  ];
  const { start, processes } = played((job) => answers[job]?.() ?? made());
  const { ask } = opened(start);
  await expect(ask().done).rejects.toMatchObject({
    code: 'resource-type',
    message: 'The type of the resource is not supported.',
    data: undefined,
  });
  expect(await codeOf(ask().done)).toBe('decoder-ended');
  expect(processes.map(({ killed }) => killed())).toEqual([false]);
  // The last one is not what a decoder says: the process is ended.
  expect(await codeOf(ask().done)).toBe('decoder-ended');
  expect((await ask().done).toString()).toBe('made');
  expect(processes.map(({ killed }) => killed())).toEqual([true, false]);
});

it.each([
  { ...FORM, format: 'svg' },
  { ...FORM, quality: 0 },
  { ...FORM, quality: 101 },
  { ...FORM, maxSide: 0 },
  { ...FORM, maxSide: 1e300 },
  null,
])('is asked for no other form than those of the policy: %j', async (params) => {
  const { start, processes } = played(made);
  const { ask } = opened(start);
  expect(await codeOf(ask(params).done)).toBe('bad-message');
  expect(processes).toHaveLength(0);
});

it('says that it is not available where its package has no program for this system', async () => {
  const { ask } = opened(decoderHere({ sharp: '/nowhere/sharp.cjs' }));
  await expect(ask().done).rejects.toMatchObject({ code: 'decoder-unavailable', retryable: false });
});

it('is not ended by the time without work that was before a picture', async () => {
  const answer = Promise.withResolvers<LinkAnswer>();
  const { start, processes, jobs } = played((job) => (job === 0 ? made() : answer.promise));
  holdTimers();
  const { ask } = opened(start, { idleMs: 50 });
  await ask().done;
  const second = ask();
  await untilHeld(() => jobs.length === 2);
  await vi.advanceTimersByTimeAsync(50);
  answer.resolve(made());
  expect((await second.done).toString()).toBe('made');
  expect(processes).toHaveLength(1);
});

it('ends a process that has started too late for its picture, and starts another for the next', async () => {
  const { start, processes } = played(made);
  const first = Promise.withResolvers<undefined>();
  let starts = 0;
  holdTimers();
  const { ask, decoders } = opened(
    async () => {
      if ((starts += 1) === 1) await first.promise;
      return start();
    },
    { pictureMs: 1000 },
  );
  const late = ask();
  await untilHeld(() => starts === 1);
  await vi.advanceTimersByTimeAsync(1000);
  first.resolve(undefined);
  await expect(late.done).rejects.toMatchObject({ code: 'resource-timeout', retryable: true });
  expect(processes[0]?.killed()).toBe(true);
  expect(decoders.running).toBe(0);
  expect((await ask().done).toString()).toBe('made');
  expect(processes).toHaveLength(2);
});

it('is started again where it could not be started', async () => {
  const { start } = played(made);
  let starts = 0;
  const { ask } = opened(() => ((starts += 1) === 1 ? Promise.reject(new Error('no process')) : start()));
  await expect(ask().done).rejects.toMatchObject({ code: 'decoder-ended', retryable: true });
  expect((await ask().done).toString()).toBe('made');
});
