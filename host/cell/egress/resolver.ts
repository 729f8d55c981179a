import { lookup } from 'node:dns/promises';

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

/** Resolves a name to all its addresses, the preferred first. Rejects when there is none. */
export type Resolve = (name: string) => Promise<readonly ResolvedAddress[]>;

/** The system's resolver, hosts file included. */
export const systemResolve: Resolve = (name) => lookup(name, { all: true });

const KEEP_MS = 60_000;
const MAX_NAMES = 1000;

/**
 * Caches answers for a minute: a page opens many connections to one name, and the system's resolver has few threads.
 * Failures are not cached. Stale answers do no harm: the address that is checked is the one connected to.
 */
export function cachedResolve(resolve: Resolve): Resolve {
  const known = new Map<string, { readonly answer: ReturnType<Resolve>; readonly at: number }>();
  return (name) => {
    const entry = known.get(name);
    if (entry && performance.now() - entry.at < KEEP_MS) return entry.answer;
    const answer = resolve(name);
    known.delete(name);
    known.set(name, { answer, at: performance.now() });
    answer.catch(() => {
      if (known.get(name)?.answer === answer) known.delete(name);
    });
    for (const oldest of known.keys()) {
      if (known.size <= MAX_NAMES) break;
      known.delete(oldest);
    }
    return answer;
  };
}
