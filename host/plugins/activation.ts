import { setTimeout as delay } from 'node:timers/promises';
import type { AnyManifest } from '../../core/contracts/manifest.ts';

/** A half that takes longer to activate goes on without being waited for. */
const ACTIVATION_DEADLINE_MS = 5000;

/** Waits for an activation, for a bounded time. Answers whether it is over; its failure within the time is thrown. */
export async function activatedInTime(activated: Promise<void>): Promise<boolean> {
  const late = new AbortController();
  const isLate = delay(ACTIVATION_DEADLINE_MS, true, { signal: late.signal, ref: false }).catch(() => false);
  try {
    return !(await Promise.race([activated.then(() => false), isLate]));
  } finally {
    late.abort();
  }
}

/** Providers before those who require them; otherwise as given. A circle is entered where it is met. */
export function inOrder<T extends { readonly plugin: { readonly manifest: AnyManifest } }>(plugins: readonly T[]): T[] {
  const ordered: T[] = [];
  const seen = new Set<T>();
  const visit = (each: T): void => {
    if (seen.has(each)) return;
    seen.add(each);
    for (const name of each.plugin.manifest.requires ?? []) {
      const provider = plugins.find(({ plugin }) => plugin.manifest.provides?.includes(name));
      if (provider) visit(provider);
    }
    ordered.push(each);
  };
  for (const each of plugins) visit(each);
  return ordered;
}
