import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { vi } from 'vitest';
import type { AppError } from '../../../core/protocol/errors.ts';
import { LINK_LIMITS } from '../limits.ts';
import type { LinkLimits } from '../limits.ts';
import { memorySocketPair } from './memory.ts';
import { permutedSockets } from './permuted.ts';
import { linkPeer } from '../peer.ts';
import type { LinkPeer } from '../peer.ts';
import { serveFarSide } from './far-side.ts';
import type { Counters } from './far-side.ts';
import { PATIENCE_MS } from '../../../core/testing/patience.ts';

/** A link whose far side serves `far-side.ts`. */
export interface TestLink {
  readonly peer: LinkPeer;
  readonly socket: Duplex;
  /** The far side, where it is a process of its own. */
  readonly child?: ChildProcess;
  readonly faults: { readonly error: AppError; readonly where: string }[];
  readonly counters: () => Promise<Counters>;
}

function over(socket: Duplex, limits: Partial<LinkLimits>): TestLink {
  const faults: { error: AppError; where: string }[] = [];
  const peer = linkPeer(socket, { limits, onFault: (error, where) => faults.push({ error, where }) });
  const counters = async (): Promise<Counters> => (await peer.call('counters', null)).value as Counters;
  return { peer, socket, faults, counters };
}

/** A link over a socket pair to a second process. */
export function processLink(limits: Partial<LinkLimits> = {}): TestLink & { readonly child: ChildProcess } {
  const file = fileURLToPath(new URL('far-process.ts', import.meta.url));
  const child = spawn(process.execPath, [file, JSON.stringify(limits)], {
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
  });
  // An extra pipe of a child is a stream socket in both directions.
  return { ...over(child.stdio[3] as Duplex, limits), child };
}

/** A link in memory whose bytes come late, in pieces, and glued together. */
function hostileLink(limits: Partial<LinkLimits> = {}, seed = 20_260_717): TestLink {
  const [near, far] = memorySocketPair({ seed, delayMs: 2 });
  serveFarSide(linkPeer(far, { limits }));
  return over(near, limits);
}

/** A link whose frames of different ids arrive late and in another order. */
function permutedLink(limits: Partial<LinkLimits> = {}, seed = 20_261_123): TestLink {
  const { near, far } = permutedSockets({ seed, delayMs: 3 }, { ...LINK_LIMITS, ...limits });
  serveFarSide(linkPeer(far, { limits }));
  return over(near, limits);
}

/** The links that every contract test runs over. */
export const LINKS: readonly (readonly [string, (limits?: Partial<LinkLimits>) => TestLink])[] = [
  ['a socket pair to a second process', processLink],
  ['a connection in memory with hostile timing', hostileLink],
  ['a connection whose frames of different ids are permuted', permutedLink],
];

/** Waits until the check passes; both sides may be busy with other tests. */
export const eventually = (check: () => void | Promise<void>): Promise<void> =>
  vi.waitFor(check, { timeout: PATIENCE_MS });
