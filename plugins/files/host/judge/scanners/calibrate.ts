import { toAppError } from '../../../../../host/plugin.ts';
import type { Coverage } from './coverage.ts';
import type { Scanner } from './scanner.ts';
import { afterMegabytes, inMegabytes, wrapped, WRAPPINGS } from './wrappings.ts';

/** Sizes at which a scanner is shown the test file, in megabytes: packaged scanners stop at 5, 25 and 100. */
const WHOLE_MEGABYTES = [1, 4, 8, 16, 24, 32, 64, 96, 110] as const;
const QUICK_MEGABYTES = [1, 4, 8, 24] as const;
const BYTES = 1_048_576;

/** Longest time for one sample, in ms. */
const SAMPLE_MS = 60_000;
/** Longest time for all samples, in ms; sizes that are not reached count as missed. */
const ALL_MS = 240_000;

/** Choices of {@link calibrate}. */
interface CalibrateOptions {
  readonly signal: AbortSignal;
  /** `quick`: wrappings, and sizes up to 24 MB, for the start of the host. `whole`: sizes up to 110 MB. */
  readonly sizes: 'quick' | 'whole';
}

/**
 * Shows a scanner the EICAR test file in wrappings and sizes, and clean twins. Memory is bounded: long samples are made as they are sent.
 *
 * @throws AppError `scanner-failed` where it does not answer about the plain test file; later samples that fail count as missed
 */
export async function calibrate(scanner: Scanner, { signal, sizes }: CalibrateOptions): Promise<Coverage> {
  const end = Date.now() + ALL_MS;
  async function finds(stream: AsyncIterable<Uint8Array>, name: string, mustAnswer = false): Promise<boolean> {
    const deadlineMs = Math.min(SAMPLE_MS, end - Date.now());
    if (deadlineMs <= 0) return false;
    try {
      return (await scanner.scan(stream, { name, signal, deadlineMs })).result === 'infected';
    } catch (error) {
      signal.throwIfAborted();
      if (mustAnswer || toAppError(error).code !== 'scanner-failed') throw error;
      return false;
    }
  }
  async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
    yield bytes;
  }
  const seen: Coverage['wrappings'][number][] = [];
  const falsePositives: Coverage['wrappings'][number][] = [];
  for (const wrapping of WRAPPINGS) {
    const name = wrapping === 'plain' ? 'test.com' : `test.${wrapping.replace(/\d$/, '').replace('office', 'docx')}`;
    const isFirst = wrapping === 'plain';
    if (await finds(once(await wrapped(wrapping, true)), name, isFirst)) seen.push(wrapping);
    if (await finds(once(await wrapped(wrapping, false)), name)) falsePositives.push(wrapping);
  }
  /** The largest size up to which it found all. */
  async function largest(sample: (megabytes: number) => AsyncIterable<Uint8Array>): Promise<number | undefined> {
    let most: number | undefined;
    for (const megabytes of sizes === 'whole' ? WHOLE_MEGABYTES : QUICK_MEGABYTES) {
      if (!(await finds(sample(megabytes), 'test.zip'))) break;
      most = megabytes * BYTES;
    }
    return most;
  }
  if (!seen.includes('zip')) return { wrappings: seen, fileBytes: BYTES, memberBytes: 0, falsePositives };
  const fileBytes = (await largest((megabytes) => afterMegabytes(megabytes, true))) ?? 0;
  const memberBytes = (await largest((megabytes) => inMegabytes(megabytes, true))) ?? 0;
  return { wrappings: seen, fileBytes, memberBytes, falsePositives };
}
