import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { untilHeld as until } from '../../../core/testing/until-held.ts';
import * as v from 'valibot';
import { KeptBodies } from '../../cells/kept-bodies.ts';
import { createServices, servicesFor } from '../../cells/services.ts';
import type { Services } from '../../cells/services.ts';
import { codeOf, serviceInProcess } from '../../cells/tests/service-starters.ts';
import type { Log } from '../../../core/contracts/scope.ts';
import { AppError } from '../../../core/protocol/errors.ts';
import { nothing } from '../../../core/protocol/message.ts';
import { PATIENCE_MS } from '../../../core/testing/patience.ts';
import type { LinkPeer } from '../../link/api.ts';
import { linkPair } from '../../link/tests/memory.ts';
import { serviceMethod } from '../../contracts/service-scope.ts';
import type { ActivateService, ServiceCaller, ServiceClient, ServiceScope } from '../../contracts/service-scope.ts';
import { KeptBody } from '../kept-body.ts';
import { remoteService } from '../service-client.ts';
import { CALL_SERVICE, TAKE_BODY } from '../service-protocol.ts';

const silent: Log = { debug() {}, info() {}, warn() {}, error() {} };
const PLUGIN = { id: 'scan', version: '1.0.0' };

const count = serviceMethod('count', { params: v.object({ by: v.number() }), result: v.object({ all: v.number() }) });
const who = serviceMethod('who', { params: nothing, result: v.string() });
const sum = serviceMethod('sum', { params: nothing, result: v.object({ bytes: v.number() }) });
const give = serviceMethod('give', { params: v.object({ chunks: v.number() }), result: nothing });
const hang = serviceMethod('hang', { params: nothing, result: nothing, deadlineMs: 200 });
const wrong = serviceMethod('wrong', { params: nothing, result: v.string() });
const missing = serviceMethod('missing', { params: nothing, result: nothing });

const KIB = 1024;

/** Moments of the half under test. */
interface Seen {
  readonly aborted: string[];
  /** Calls that have come to it. */
  readonly begun: string[];
  /** Sessions that are over. */
  readonly over: ServiceCaller[];
  given: number;
  activations: number;
}

function half(seen: Seen): ActivateService {
  return (scope: ServiceScope) => {
    seen.activations += 1;
    let all = 0;
    scope.handle(count, ({ params: { by } }) => ({ value: { all: (all += by) } }));
    scope.handle(who, ({ person }) => ({ value: person }));
    scope.handle(sum, async ({ body, signal }) => {
      seen.begun.push('sum');
      let bytes = 0;
      signal.addEventListener('abort', () => seen.aborted.push('sum'));
      for await (const chunk of body ?? []) bytes += chunk.length;
      return { value: { bytes } };
    });
    scope.handle(give, ({ params: { chunks }, signal }) => {
      signal.addEventListener('abort', () => seen.aborted.push('give'));
      return {
        value: undefined,
        body: (async function* () {
          for (let at = 0; at < chunks; at += 1) {
            seen.given += 1;
            yield new Uint8Array(64 * KIB);
          }
        })(),
      };
    });
    scope.handle(hang, async ({ signal }) => {
      seen.begun.push('hang');
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      seen.aborted.push('hang');
      return { value: undefined };
    });
    scope.handle(wrong, () => ({ value: 7 as unknown as string }));
    scope.onSessionOver((caller) => {
      seen.over.push(caller);
      throw new Error('of the half');
    });
    scope.onSessionOver(({ session }) => seen.aborted.push(session));
    scope.onDispose(() => seen.aborted.push('disposed'));
  };
}

interface Stage {
  readonly services: Services;
  readonly seen: Seen;
  /** Ends of the links of service halves, the last one last. */
  readonly running: LinkPeer[];
  readonly faults: string[];
  /** Bodies that the gateway keeps, of all cells. */
  readonly kept: KeptBodies;
  clientOf(person: string, plugin?: { readonly id: string }): ServiceClient;
}

const undos: (() => unknown)[] = [];
/** Time passes as the test says, for timers alone. */
const holdTimers = (): unknown => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });

afterEach(async () => {
  vi.useRealTimers();
  for (const undo of undos.splice(0).reverse()) await undo();
});

/** A host with one service half and cells, each behind links that carry bytes alone. */
function stage(activate?: ActivateService): Stage {
  const seen: Seen = { aborted: [], begun: [], over: [], given: 0, activations: 0 };
  const [running, faults]: [LinkPeer[], string[]] = [[], []];
  const start = serviceInProcess(PLUGIN, activate ?? half(seen), silent, (own) => running.push(own));
  const services = createServices({
    starters: new Map([['scan', start]]),
    plugins: [],
    onFault: (from, code) => faults.push(`${from} ${code}`),
    onRecords: () => undefined,
    log: silent,
    firstPauseMs: 100,
  });
  undos.push(() => services.close());
  const kept = new KeptBodies();
  const clientOf: Stage['clientOf'] = (person, plugin = PLUGIN) => {
    const [gateway, cell] = linkPair();
    const answer = servicesFor(
      services,
      () => ({ person, session: `session of ${person}` }),
      async (service) => service === PLUGIN.id,
      kept,
    );
    gateway.handle(CALL_SERVICE, (request) => answer(request));
    gateway.handle(TAKE_BODY, ({ params }) => ({ body: kept.take((params as { name: string }).name) }));
    undos.push(() => cell.close('test'));
    return remoteService(plugin, (...call) => cell.call(...call));
  };
  return { services, seen, running, faults, kept, clientOf };
}

describe('a service half', () => {
  it('is started by the first call, once for all people, who cannot say who they are', async () => {
    const { seen, clientOf } = stage();
    const [anna, ben] = [clientOf('anna'), clientOf('ben')];
    expect(seen.activations).toBe(0);
    await Promise.all([anna.call(count, { by: 1 }), ben.call(count, { by: 2 })]);
    expect((await anna.call(count, { by: 4 })).value).toEqual({ all: 7 });
    expect([(await anna.call(who, undefined)).value, (await ben.call(who, undefined)).value]).toEqual(['anna', 'ben']);
    expect(seen.activations).toBe(1);
  });

  it('hears of each session that has called it when it is over, once, from the gateway alone', async () => {
    const { services, seen, clientOf } = stage();
    await clientOf('anna').call(who, undefined);
    services.sessionOver({ person: 'ben', session: 'session of ben' }); // which has not called
    const anna = { person: 'anna', session: 'session of anna' };
    services.sessionOver(anna);
    services.sessionOver(anna);
    await clientOf('carl').call(who, undefined); // notices come in order with calls
    expect(seen.over).toEqual([anna]);
    expect(seen.aborted).toEqual([anna.session]); // a listener that throws does not keep others from it
  });

  it('takes and gives bodies, only as fast as they are read', async () => {
    const { seen, clientOf } = stage();
    const anna = clientOf('anna');
    const source = (async function* () {
      for (let at = 0; at < 20; at += 1) yield new Uint8Array(100 * KIB);
    })();
    expect((await anna.call(sum, undefined, { body: source })).value).toEqual({ bytes: 2000 * KIB });

    const { body } = await anna.call(give, { chunks: 200 });
    const chunks = body![Symbol.asyncIterator]();
    await chunks.next();
    await delay(100);
    const ahead = seen.given;
    expect(ahead).toBeLessThan(60); // each of two links keeps a window, and no more
    let bytes = 64 * KIB;
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) bytes += next.value.length;
    expect(bytes).toBeGreaterThanOrEqual(199 * 64 * KIB);
    expect(seen.given).toBe(200);
  });

  it('hears of a body that nobody reads any more, and of a caller that has aborted', async () => {
    const { seen, clientOf } = stage();
    const anna = clientOf('anna');
    const { body } = await anna.call(give, { chunks: 10_000 });
    for await (const _ of body!) break;
    // Those on their way may still be asked for; then nothing more is.
    await expect.poll(async () => -seen.given + (await delay(100), seen.given)).toBe(0);
    expect(seen.given).toBeLessThan(10_000);

    const abort = new AbortController();
    const endless = (async function* () {
      for (;;) {
        await delay(5);
        yield new Uint8Array(10);
      }
    })();
    const calling = codeOf(anna.call(sum, undefined, { body: endless, signal: abort.signal }));
    await expect.poll(() => seen.begun).toEqual(['sum']);
    abort.abort();
    expect(await calling).toBe('link-aborted');
    await expect.poll(() => seen.aborted).toContain('sum');
  });

  it('has its deadline, and is told when that is over', async () => {
    const { seen, clientOf } = stage();
    holdTimers();
    const late = { code: 'service-timeout', message: /hang within 200 ms/ };
    const failed = expect(clientOf('anna').call(hang, undefined)).rejects.toMatchObject(late);
    await until(() => seen.begun.length === 1);
    await vi.advanceTimersByTimeAsync(200);
    await failed;
    await expect.poll(() => seen.aborted).toEqual(['hang']);
  });

  it('is asked for and answers what its methods declare, else the call fails', async () => {
    const { clientOf } = stage();
    const anna = clientOf('anna');
    expect(await codeOf(anna.call(count, { by: 'one' as unknown as number }))).toBe('bad-message');
    expect(await codeOf(anna.call(wrong, undefined))).toBe('bad-message');
    expect(await codeOf(anna.call(missing, undefined))).toBe('unknown-method');
    expect(await codeOf(remoteService({ id: 'other' }, async () => ({ value: undefined })).call(who, undefined))).toBe(
      'bad-message',
    );
  });

  it('is there for its own plugin', async () => {
    const services = createServices({
      starters: new Map(),
      plugins: [],
      onFault: () => undefined,
      onRecords: () => undefined,
      log: silent,
    });
    const calling = services.call(
      { person: 'anna', session: 's' },
      { service: 'scan', method: 'who', deadlineMs: 1000 },
      { signal: new AbortController().signal },
    );
    expect(await codeOf(calling)).toBe('no-service-half');
  });

  it('is refused to cells whose person does not have its plugin', async () => {
    const { clientOf } = stage();
    const other = clientOf('anna', { id: 'other' });
    expect(await codeOf(other.call(who, undefined))).toBe('policy-refused');
  });

  it('is not taken up by one person', async () => {
    const { clientOf } = stage();
    const [anna, ben] = [clientOf('anna'), clientOf('ben')];
    const abort = new AbortController();
    const calls = Array.from({ length: 40 }, () =>
      codeOf(anna.call(hang, undefined, { deadlineMs: PATIENCE_MS, signal: abort.signal })),
    );
    expect(await Promise.all(calls.slice(32))).toEqual(Array(8).fill('service-busy'));
    expect((await ben.call(who, undefined)).value).toBe('ben');
    abort.abort();
    await Promise.all(calls);
    expect((await anna.call(who, undefined)).value).toBe('anna');
  });

  it('frees the place of a body that is left', async () => {
    const { clientOf } = stage();
    const anna = clientOf('anna');
    for (let at = 0; at < 80; at += 1) {
      const { body } = await anna.call(give, { chunks: 100 });
      if (at % 2) body!.abort();
      else for await (const _ of body!) break;
    }
    await expect.poll(() => codeOf(anna.call(who, undefined))).toBe('none');
  });
});

describe('a body for the answer of a route', () => {
  const asked = async (client: ServiceClient, chunks = 100): Promise<KeptBody> => {
    const { body } = await client.call(give, { chunks }, { isForRoute: true });
    if (!(body instanceof KeptBody)) throw new Error('it has come to the cell');
    return body;
  };
  const bytesOf = async (body: AsyncIterable<Uint8Array>): Promise<number> => {
    let bytes = 0;
    for await (const chunk of body) bytes += chunk.length;
    return bytes;
  };

  it('stays at the gateway until it is taken there, once, and read no further than its window', async () => {
    const { seen, kept, clientOf } = stage();
    const { name } = await asked(clientOf('anna'));
    await expect.poll(() => seen.given).toBeGreaterThan(3);
    await delay(50);
    expect(seen.given).toBeLessThanOrEqual(20);
    expect(await bytesOf(kept.take(name))).toBe(100 * 64 * KIB);
    expect(() => kept.take(name)).toThrow(expect.objectContaining({ code: 'bad-message' }));
    expect(kept.size).toBe(0);
  });

  it('is over once whoever has taken it leaves it, whether it has been read or not', async () => {
    const { kept, clientOf } = stage();
    const anna = clientOf('anna');
    for (let at = 0; at < 40; at += 1) {
      const body = kept.take((await asked(anna)).name);
      if (at % 2) {
        body.abort(new AppError('request-closed', 'The browser has closed the request.'));
        continue;
      }
      const reading = codeOf(bytesOf(body));
      body.abort(new AppError('request-closed', 'The browser has closed the request.'));
      expect(await reading).not.toBe('none');
    }
    expect(kept.size).toBe(0);
    await expect.poll(() => codeOf(anna.call(who, undefined))).toBe('none');
  });

  it('comes to a cell that reads it itself', async () => {
    const { kept, clientOf } = stage();
    expect(await bytesOf(await asked(clientOf('anna')))).toBe(100 * 64 * KIB);
    expect(kept.size).toBe(0);
  });

  it('is one of the calls of its person until it is over; one that nobody has taken ends with the cell', async () => {
    const { kept, clientOf } = stage();
    const anna = clientOf('anna');
    const bodies = await Promise.all(Array.from({ length: 32 }, () => asked(anna)));
    expect(await codeOf(anna.call(who, undefined))).toBe('service-busy');
    const reading = bytesOf(kept.take(bodies[0]?.name ?? ''));
    kept.close(new AppError('link-closed', 'The cell has ended.'));
    expect(kept.size).toBe(1);
    expect(await reading).toBe(100 * 64 * KIB); // as a person who is saving it
    expect(kept.size).toBe(0);
    await expect.poll(() => codeOf(anna.call(who, undefined))).toBe('none');
  });
});

describe('a service half that ends', () => {
  it('fails the calls under way, is started again after a pause that grows, and begins anew', async () => {
    const { running, faults, seen, clientOf } = stage();
    const anna = clientOf('anna');
    await anna.call(count, { by: 5 });
    const { body } = await anna.call(give, { chunks: 1000 });
    const crashed = Promise.withResolvers<void>();
    const reading = (async () => {
      for await (const _ of body!) await crashed.promise;
    })();
    holdTimers();
    const hanging = anna.call(hang, undefined, { deadlineMs: PATIENCE_MS });
    const outcomes = Promise.allSettled([hanging, reading]);
    await until(() => seen.begun.length === 1);
    running.at(-1)!.close('crash');
    crashed.resolve();
    const gone = { status: 'rejected', reason: { code: 'service-gone', retryable: true } };
    expect(await outcomes).toMatchObject([gone, gone]);
    const paused = { code: 'service-unavailable', data: { retryInMs: expect.any(Number) as number } };
    const waits = async (ms: number): Promise<void> => {
      const before = seen.activations;
      await vi.advanceTimersByTimeAsync(ms - 1);
      await expect(anna.call(count, { by: 1 })).rejects.toMatchObject({ ...paused, retryable: true });
      await vi.advanceTimersByTimeAsync(1);
      await until(() => seen.activations > before);
    };
    expect(faults).toEqual(['plugin service-ended']);
    await waits(100);
    expect((await anna.call(count, { by: 1 })).value).toEqual({ all: 1 });

    running.at(-1)!.close('crash');
    await until(() => faults.length === 2);
    await waits(200);
  });

  it('is tried again when it cannot be activated', async () => {
    let tries = 0;
    const { faults, clientOf } = stage((scope) => {
      tries += 1;
      if (tries < 3) throw new Error('not today');
      scope.handle(who, ({ person }) => ({ value: person }));
    });
    const anna = clientOf('anna');
    await expect(anna.call(who, undefined)).rejects.toMatchObject({ code: 'service-unavailable', retryable: true });
    await expect.poll(() => codeOf(anna.call(who, undefined))).toBe('none');
    expect([tries, faults]).toEqual([3, ['plugin service-failed', 'plugin service-failed']]);
  });

  it('waits for one that is slow to start no longer than for an answer', async () => {
    const { clientOf } = stage(() => delay(2000));
    const failing = clientOf('anna').call(who, undefined, { deadlineMs: 100 });
    await expect(failing).rejects.toMatchObject({ code: 'service-timeout' });
  });

  it('is not started again once the host ends, and undoes what it has begun', async () => {
    const { seen, clientOf } = stage();
    const anna = clientOf('anna');
    await anna.call(who, undefined);
    holdTimers();
    for (const undo of undos.splice(0, 1)) await undo();
    await until(() => seen.aborted.length > 0);
    expect(seen.aborted).toEqual(['disposed']);
    expect(await codeOf(anna.call(who, undefined))).toBe('service-unavailable');
    await vi.advanceTimersByTimeAsync(10_000); // many times the pause after which another is started
    expect(await codeOf(anna.call(who, undefined))).toBe('service-unavailable');
    expect(seen.activations).toBe(1);
  });
});
