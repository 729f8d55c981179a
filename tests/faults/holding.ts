import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { descendants } from '../e2e/support/processes.ts';
import type { HostHeap } from './host-heap.ts';

/** Resources of a host at a moment. */
interface Holding {
  readonly processes: number;
  readonly descriptors: Readonly<Record<string, number>>;
  readonly files: Readonly<Record<string, number>>;
  readonly timers: number;
  readonly sockets: number;
}

/** The launcher, the prepared cell for the next person, and its surrogate. */
const STANDING = 3;

/** Reads what a host holds, that keeps one cell warm. */
export class HostHolding {
  readonly #pid: number;
  readonly #data: string;
  readonly #heap: HostHeap;

  constructor(pid: number, data: string, heap: HostHeap) {
    this.#pid = pid;
    this.#data = data;
    this.#heap = heap;
  }

  /** Files below the data folder, and below the profiles' folder when surrogates cannot reach the data folder. */
  files(): Record<string, number> {
    const within = (name: string): number => {
      const dir = path.join(this.#data, name);
      return existsSync(dir) ? readdirSync(dir).length : 0;
    };
    return {
      profiles: within('surrogates/profiles'),
      cells: within('surrogates/cells'),
      cookies: within('cookies'),
    };
  }

  async now(): Promise<Holding> {
    return {
      processes: descendants(this.#pid).filter(({ command }) => !command.includes('--type=')).length,
      descriptors: descriptors(this.#pid),
      files: this.files(),
      timers: await this.#heap.count(
        '{ const timer = setTimeout(() => {}, 0); clearTimeout(timer); Object.getPrototypeOf(timer); }',
      ),
      sockets: await this.#heap.count("process.getBuiltinModule('net').Socket.prototype"),
    };
  }

  /** Resources once two successive readings are equal: the prepared cell for the next person is there. */
  async settled(): Promise<Holding> {
    let last = await this.now();
    for (let tries = 0; tries < 60; tries++) {
      await delay(2000);
      const next = await this.now();
      if (JSON.stringify(next) === JSON.stringify(last) && next.processes === STANDING) return next;
      last = next;
    }
    throw new Error(`the host does not settle: ${JSON.stringify(last)}`);
  }

  /** Resources once they are no more than before, or at a deadline. */
  async back(before: Holding, ms: number): Promise<Holding> {
    const deadline = performance.now() + ms;
    let after = await this.now();
    while (!within(after, before) && performance.now() < deadline) {
      await delay(1000);
      after = await this.now();
    }
    return after;
  }
}

function within(after: Holding, before: Holding): boolean {
  const rest = ({ processes, descriptors: open, files: left }: Holding): string =>
    JSON.stringify([processes, Object.entries(open).sort(), left]);
  return after.timers <= before.timers && after.sockets <= before.sockets && rest(after) === rest(before);
}

function descriptors(pid: number): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const fd of readdirSync(`/proc/${pid}/fd`)) {
    try {
      const name = readlinkSync(`/proc/${pid}/fd/${fd}`).replace(/:.*/, '');
      counts[name] = (counts[name] ?? 0) + 1;
    } catch {
      // it was closed meanwhile
    }
  }
  return counts;
}
