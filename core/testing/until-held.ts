import { setImmediate as immediate } from 'node:timers/promises';
import { PATIENCE_MS } from './patience.ts';

const NS_PER_MS = 1_000_000n;

/**
 * Resolves once something is so, for tests that hold timers: time that is held does not pass meanwhile, as it does in `expect.poll`.
 *
 * @throws Error after {@link PATIENCE_MS} of real time
 */
export async function untilHeld(isSo: () => boolean): Promise<void> {
  const end = process.hrtime.bigint() + BigInt(PATIENCE_MS) * NS_PER_MS;
  while (!isSo()) {
    if (process.hrtime.bigint() > end) throw new Error(`it is not so after ${PATIENCE_MS} ms`);
    await immediate();
  }
}
