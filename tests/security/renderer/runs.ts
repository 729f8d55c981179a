import path from 'node:path';
import fc from 'fast-check';

const LONG = process.env.VITRINE_LONG !== undefined;
/** Seed of the first round: `VITRINE_SEED` repeats a round, a long run draws its own, any other is the same each time. */
export const SEED = Number(process.env.VITRINE_SEED ?? (LONG ? Date.now() % 2 ** 31 : 1));

/** Time for smaller cases that fail, too, in ms. */
const SHRINK_MS = 60_000;
/** Longest report of a failure, in UTF-16 units: cases have long texts. */
const MAX_REPORT = 20_000;

/** How much is drawn. */
interface Amount {
  /** Cases of one round: a short run is one. */
  readonly cases: number;
  /** Time that rounds are begun for in a long run, in minutes. */
  readonly minutes: number;
}

/** Time limit of a test that attacks, in ms. */
export function attackTimeout({ minutes }: Amount): { readonly timeout: number } {
  return { timeout: (LONG ? minutes + 10 : 5) * 60_000 };
}

/**
 * Checks drawn cases, for the test `file`: one round of them, or in a long run rounds with other seeds for as long as told. A failure names the seed of its
 * round; the same seed draws the same cases again.
 */
export async function attack<T>(
  file: string,
  drawn: fc.Arbitrary<T>,
  { cases, minutes }: Amount,
  check: (one: T) => void | Promise<void>,
): Promise<void> {
  const end = performance.now() + minutes * 60_000;
  const name = path.basename(file);
  if (LONG) console.log(`${name}: rounds from seed ${SEED}`);
  for (let seed = SEED; seed === SEED || (LONG && performance.now() < end); seed++) {
    let failedAt: number | undefined;
    const property = fc.asyncProperty(drawn, async (one) => {
      if (failedAt !== undefined && performance.now() - failedAt > SHRINK_MS) return; // the smallest that was found will do
      try {
        await check(one);
      } catch (thrown) {
        failedAt ??= performance.now();
        throw thrown;
      }
    });
    const found = await fc.check(property, { numRuns: cases, seed });
    if (!found.failed) continue;
    const report = await fc.asyncDefaultReportMessage(found);
    throw new Error(
      `Repeat by VITRINE_SEED=${seed} npm run test:unit -- ${name}\n${(report ?? '').slice(0, MAX_REPORT)}`,
      { cause: found.errorInstance },
    );
  }
}
