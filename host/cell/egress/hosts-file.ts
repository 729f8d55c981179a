import { readFile, stat } from 'node:fs/promises';
import net from 'node:net';
import type { ResolvedAddress } from './resolver.ts';

/** Time after which the file is looked at again, in ms. */
const KEEP_MS = 5000;

/** Addresses of a name in the hosts file; none when it is not there. */
export type FindInHosts = (name: string) => Promise<readonly ResolvedAddress[]>;

/** Reads the machine's hosts file, and again when it has changed. A file that cannot be read has no names. */
export function hostsFile(path = '/etc/hosts'): FindInHosts {
  let names = new Map<string, ResolvedAddress[]>();
  let [mtimeMs, lookedAt] = [-1, -Infinity];
  return async (name) => {
    if (performance.now() - lookedAt > KEEP_MS) {
      lookedAt = performance.now();
      try {
        const now = (await stat(path)).mtimeMs;
        if (now !== mtimeMs) names = parsed(await readFile(path, 'utf8'));
        mtimeMs = now;
      } catch {
        names = new Map();
        mtimeMs = -1;
      }
    }
    return names.get(name.toLowerCase()) ?? [];
  };
}

function parsed(text: string): Map<string, ResolvedAddress[]> {
  const found = new Map<string, ResolvedAddress[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...names] = (line.split('#', 1)[0] ?? '').trim().split(/\s+/);
    const family = net.isIP(address);
    if (family === 0) continue;
    for (const name of names) {
      const known = found.get(name.toLowerCase());
      if (known) known.push({ address, family });
      else found.set(name.toLowerCase(), [{ address, family }]);
    }
  }
  return found;
}
