import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../../core/protocol/errors.ts';
import type { LinkPeer } from '../peer.ts';

/** A run of so many ms lasts until the far side is told to go on. */
export const HELD = -1;

/** Bytes by which every part of a body can be checked. */
export function pattern(length: number, start = 0): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at++) bytes[at] = ((start + at) * 31 + ((start + at) >> 8)) & 0xff;
  return bytes;
}

/** Counters of the far side, as `counters` returns them. */
export interface Counters {
  aborted: string[];
  returned: number;
  sourced: number;
  runs: number;
  notes: unknown[];
  streamEnds: string[];
  held: number;
}

const noCounters = (): Counters => ({
  aborted: [],
  returned: 0,
  sourced: 0,
  runs: 0,
  notes: [],
  streamEnds: [],
  held: 0,
});

const codeOf = (reason: unknown): string => (reason instanceof AppError ? reason.code : String(reason));

function serveCalls(peer: LinkPeer, counters: Counters): void {
  peer.handle('echo', ({ params }) => ({ value: params }));
  peer.handle('late', async ({ params }) => {
    await sleep((params as { ms: number }).ms);
    return { value: params };
  });
  peer.handle('refuse', () => {
    throw new AppError('page-refused', 'Not this one.', { data: { by: ['policy'] }, retryable: true });
  });
  peer.handle('crash', () => {
    throw new Error('/secret/path is missing');
  });
  peer.handle('circle', () => {
    const circle: Record<string, unknown> = {};
    circle['circle'] = circle;
    return { value: circle };
  });
  peer.handle('large', ({ params }) => ({ value: 'x'.repeat((params as { length: number }).length) }));
  peer.handle('hang', ({ signal }) => {
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        counters.aborted.push(codeOf(signal.reason));
        reject(new AppError('late', 'Too late.'));
      });
    });
  });
  let goOn = (): void => undefined;
  peer.on('go-on', () => goOn());
  peer.handle('run', async ({ params }) => {
    const { ms, outcome } = params as { ms: number; outcome: string };
    counters.runs += 1;
    const run = counters.runs;
    await (ms === HELD ? new Promise<void>((resolve) => (goOn = resolve)) : sleep(ms));
    if (outcome === 'body') return { body: pattern(10) };
    if (outcome === 'not-final') return { value: run, isFinal: false };
    if (outcome !== 'value') throw new AppError('run-failed', `Run ${run}`, { retryable: outcome === 'retryable' });
    return { value: run };
  });
  peer.handle('counters', () => ({ value: counters }));
  peer.handle('reset', () => {
    Object.assign(counters, noCounters());
    return {};
  });
  peer.on('note', (params) => counters.notes.push(params));
  peer.handle('leave', ({ params }) => {
    setImmediate(() => peer.close(params as string));
    return {};
  });
}

function serveBodies(peer: LinkPeer, counters: Counters): void {
  async function* generate(bytes: number, chunk: number, failAt: number): AsyncGenerator<Uint8Array> {
    try {
      for (let at = 0; at < bytes; at += chunk) {
        if (at >= failAt) throw new AppError('source-failed', 'The disk is gone.');
        counters.sourced += 1;
        yield pattern(Math.min(chunk, bytes - at), at);
      }
    } finally {
      counters.returned += 1;
    }
  }
  peer.handle('generate', ({ params }) => {
    const { bytes, chunk, failAt } = params as { bytes: number; chunk: number; failAt?: number };
    return { value: { bytes }, body: generate(bytes, chunk, failAt ?? Infinity) };
  });
  peer.handle('bytes', ({ params }) => ({ body: pattern((params as { length: number }).length) }));
  peer.handle('mirror', ({ body }) => (body ? { body } : {}));
  peer.handle('ignore', () => ({ value: 'ignored' }));
  peer.handle('measure', async ({ body, params }) => {
    const { most } = (params ?? {}) as { most?: number };
    let length = 0;
    let isRight = true;
    try {
      for await (const chunk of body ?? []) {
        isRight &&= Buffer.compare(chunk, pattern(chunk.length, length)) === 0;
        length += chunk.length;
        if (most !== undefined && length >= most) break;
      }
    } catch (error) {
      counters.aborted.push(codeOf(error));
      throw error;
    }
    return { value: { length, isRight } };
  });
}

function serveStreams(peer: LinkPeer, counters: Counters): void {
  const held: (() => void)[] = [];
  peer.accept('echo', (_params, stream) => {
    stream.onChunk((chunk) => stream.send(chunk));
    stream.closed.addEventListener('abort', () => counters.streamEnds.push(stream.closeReason ?? ''));
  });
  // Takes chunks one at a time, each when it is told to.
  peer.accept('hold', (_params, stream) => {
    stream.onChunk((chunk) => {
      counters.held += chunk.length;
      return new Promise((resolve) => held.push(resolve));
    });
    stream.closed.addEventListener('abort', () => counters.streamEnds.push(stream.closeReason ?? ''));
  });
  peer.on('let-go', () => held.shift()?.());
  peer.accept('count', (_params, stream) => {
    let bytes = 0;
    stream.onChunk(async (chunk) => {
      await Promise.resolve();
      bytes += chunk.length;
    });
    stream.closed.addEventListener('abort', () =>
      counters.streamEnds.push(`${stream.closeReason ?? ''} after ${bytes}`),
    );
  });
  peer.accept('broken', () => {
    throw new AppError('not-now', 'Not now.');
  });
  peer.accept('throw', (_params, stream) => {
    stream.onChunk(() => {
      throw new Error('a listener that throws');
    });
  });
  peer.accept('source', (params, stream) => {
    const { chunks, length } = params as { chunks: number; length: number };
    for (let at = 0; at < chunks; at++) stream.send(pattern(length, at));
    stream.close('all sent');
  });
}

/** Serves what the contract tests call, on the far side of a link. */
export function serveFarSide(peer: LinkPeer): void {
  const counters = noCounters();
  serveCalls(peer, counters);
  serveBodies(peer, counters);
  serveStreams(peer, counters);
}
