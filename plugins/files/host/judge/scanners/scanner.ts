import { AppError } from '../../../../../host/plugin.ts';

/** Opinion of a scanner about one stream. `not-scanned`: it answered, but not about all bytes. */
export interface ScanResult {
  readonly result: 'clean' | 'infected' | 'not-scanned';
  /** Name of the signature, or why it did not scan. */
  readonly detail?: string;
  /** It has closed before it answered: past its limit, or because it died. */
  readonly isCut?: boolean;
}

/** Circumstances of a scan. */
export interface ScanOptions {
  /** Safe name of the file, for scanners that take one. */
  readonly name: string;
  readonly signal: AbortSignal;
  /** Time for the scan, in ms. */
  readonly deadlineMs: number;
}

/** A virus scanner. Has no state between scans: one that was away is used again. */
export interface Scanner {
  /** For people and logs, such as `clamd` or `icap://HOST:PORT/SERVICE`. */
  readonly name: string;
  /**
   * Shows it a stream. Reads the stream only as fast as the scanner takes it; may leave it early.
   *
   * @throws AppError `scanner-failed` where it cannot be reached, dies, hangs, or answers nonsense; or the reason of `signal`
   */
  scan(stream: AsyncIterable<Uint8Array>, options: ScanOptions): Promise<ScanResult>;
}

/** The error of a scanner that gave no verdict. The same scan may succeed later. */
export function scannerFailed(name: string, text: string, cause?: unknown): AppError {
  return new AppError('scanner-failed', `${name}: ${text}`, { retryable: true, cause });
}
