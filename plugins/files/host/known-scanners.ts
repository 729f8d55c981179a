import type { Log } from '../../../core/contracts/scope.ts';
import { onAbort } from '../../../core/protocol/on-abort.ts';
import { toAppError } from '../../../host/plugin.ts';
import type { JudgingScanner } from './judge/scanner-tally.ts';
import { calibrate } from './judge/scanners/calibrate.ts';
import type { Coverage } from './judge/scanners/coverage.ts';
import { parseScanner } from './judge/scanners/parse-scanner.ts';
import type { Scanner } from './judge/scanners/scanner.ts';

/** Time after which a scanner is shown the test file again, in ms; and after which one that did not answer is asked again. */
const EVERY_MS = 60 * 60_000;
const RETRY_MS = 10_000;
/** A scanner that has shown nothing is not believed: nothing that it calls clean counts. */
const NOTHING: Coverage = { wrappings: [], fileBytes: 0, memberBytes: 0, falsePositives: [] };
const MIB = 1024 * 1024;

/** A scanner, and what it has shown that it finds. */
export interface KnownScanner extends JudgingScanner {
  /** For people: `clamd`, or `icap`. Its address is for administrators. */
  readonly label: string;
}

/** The scanners of the host. Each shows what it finds before it is believed, at the start and every hour. */
export class KnownScanners {
  readonly #scanners: readonly FollowedScanner[];

  /** @throws AppError `invalid-scanner` */
  constructor(addresses: readonly string[], log: Log, signal: AbortSignal) {
    this.#scanners = addresses.map((address) => new FollowedScanner(parseScanner(address), log, signal));
  }

  /** All of them, once each has answered or failed for the first time. */
  async known(): Promise<readonly KnownScanner[]> {
    await Promise.all(this.#scanners.map(({ asked }) => asked));
    return this.#scanners;
  }
}

class FollowedScanner implements KnownScanner {
  readonly scanner: Scanner;
  readonly label: string;
  /** Resolves once it has been asked for the first time. */
  readonly asked: Promise<void>;
  coverage = NOTHING;
  readonly #log: Log;
  readonly #signal: AbortSignal;
  #timer: NodeJS.Timeout | undefined;

  constructor(scanner: Scanner, log: Log, signal: AbortSignal) {
    this.scanner = scanner;
    this.label = /^[a-z]+/.exec(scanner.name)?.[0] ?? 'scanner';
    this.#log = log;
    this.#signal = signal;
    onAbort(signal, () => clearTimeout(this.#timer));
    this.asked = this.#ask('quick').then((hasAnswered) => {
      if (signal.aborted) return;
      if (hasAnswered) void this.#ask('whole').then((again) => this.#later(again));
      else this.#later(false);
    });
  }

  #later(hasAnswered: boolean): void {
    if (this.#signal.aborted) return;
    const again = async (): Promise<void> => {
      this.#later(await this.#ask('whole'));
    };
    this.#timer = setTimeout(() => void again(), hasAnswered ? EVERY_MS : RETRY_MS);
  }

  /** Shows it the test file. Never rejects. @returns whether it has answered */
  async #ask(sizes: 'quick' | 'whole'): Promise<boolean> {
    const { scanner } = this;
    try {
      const before = this.coverage;
      const coverage = await calibrate(scanner, { signal: this.#signal, sizes });
      this.coverage = coverage;
      const { wrappings, falsePositives } = coverage;
      const facts = { scanner: scanner.name, wrappings, ...megabytesOf(coverage) };
      if (!wrappings.includes('plain')) this.#log.error('a scanner does not find the EICAR test file', facts);
      else if (falsePositives.length > 0)
        this.#log.error('a scanner calls clean files infected', { ...facts, falsePositives });
      else this.#log.info('a scanner has shown what it finds', facts);
      // One that finds less than before may have been started again meanwhile: it is asked again soon.
      return !isLess(coverage, before);
    } catch (thrown) {
      if (this.#signal.aborted) return false;
      const { code, message } = toAppError(thrown);
      this.coverage = NOTHING;
      this.#log.error('a scanner does not answer: what it says is not believed', { code, error: message });
      return false;
    }
  }
}

/** Whether a scanner has found less than before. */
function isLess(now: Coverage, before: Coverage): boolean {
  const isMissed = before.wrappings.some((each) => !now.wrappings.includes(each));
  return isMissed || now.fileBytes < before.fileBytes || now.memberBytes < before.memberBytes;
}

/** The longest file, and the longest member of an archive, in which a scanner finds something, in MiB. */
export function megabytesOf({ fileBytes, memberBytes }: Coverage): {
  readonly megabytes: number;
  readonly memberMegabytes: number;
} {
  return { megabytes: fileBytes / MIB, memberMegabytes: memberBytes / MIB };
}
