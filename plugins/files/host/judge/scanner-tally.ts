import { quotable, toAppError } from '../../../../host/plugin.ts';
import type { ArchiveMember } from './archives.ts';
import type { FileType } from './format/file-groups.ts';
import { covers } from './scanners/coverage.ts';
import type { Coverage } from './scanners/coverage.ts';
import type { Scanner, ScanResult } from './scanners/scanner.ts';

/** One check of a file, as the client shows it. */
export interface Check {
  /** `archive`, or the scanner's name. */
  readonly plugin: string;
  readonly status: 'FINISHED' | 'FAILED';
  readonly result: 'clean' | 'infected' | 'not-scanned' | 'suspicious';
  readonly detail?: string;
}

/** A scanner and what it has shown that it finds. */
export interface JudgingScanner {
  readonly scanner: Scanner;
  readonly coverage: Coverage;
}

const MAX_DETAIL = 300;

/** Members that a scanner is trusted to reach by itself: packaged ones stop at 10,000, others earlier. */
const MAX_INSIDE = 1000;

/** Opinions of one scanner about a file and its members, and their sum. */
export class ScannerTally {
  readonly scanner: Scanner;
  readonly #coverage: Coverage;
  /** Whether the scanner took all bytes of the file. */
  #sawFile = false;
  #members = 0;
  #memberBytes = 0;
  /** Whether a member has been left to the scanner's own reading of the archive. */
  #skipped = false;
  #eachMember = false;
  #infected: string | undefined;
  #failed: string | undefined;
  /** Its connection was cut: members may still be shown to it. */
  #cut: string | undefined;
  /** Why not all of the file has been scanned. */
  #missed: string | undefined;

  constructor({ scanner, coverage }: JudgingScanner) {
    this.scanner = scanner;
    this.#coverage = coverage;
  }

  /** Whether further bytes would change nothing. */
  get isSettled(): boolean {
    return this.#infected !== undefined || this.#failed !== undefined;
  }

  get isInfected(): boolean {
    return this.#infected !== undefined;
  }

  /** Whether the scanner, having seen the file, has seen this member. Counts the members for {@link needsEachMember}. */
  hasSeenInside(file: FileType, fileBytes: number, member: ArchiveMember): boolean {
    this.#members += 1;
    this.#memberBytes += member.size ?? 0;
    if (this.#eachMember || !this.#sawFile || member.wasEncrypted || member.isHidden) return false;
    if (member.size === undefined) return false;
    const size = Math.max(fileBytes, member.size);
    const isRead = member.isArchive || covers(this.#coverage, member.type, member.size, 0);
    const hasSeen = isRead && covers(this.#coverage, file, size, member.depth);
    this.#skipped ||= hasSeen;
    return hasSeen;
  }

  /**
   * Whether members have been left to the scanner that are together more than it has shown that it reads: it stops somewhere and calls the file clean.
   * From then on it is shown each member.
   */
  needsEachMember(): boolean {
    const isTooMuch = this.#members > MAX_INSIDE || this.#memberBytes > this.#coverage.fileBytes;
    this.#eachMember = this.#skipped && isTooMuch && !this.isSettled;
    return this.#eachMember;
  }

  #take(path: string, { result, detail = '' }: ScanResult, missed: string | undefined): void {
    const where = path === '' ? '' : `${path}: `;
    if (result === 'infected') this.#infected ??= `${where}${detail}`;
    else if (result === 'not-scanned') this.#missed ??= `${where}${detail}`;
    else if (missed !== undefined) this.#missed ??= `${where}${missed}`;
  }

  /** Takes the opinion about the file as a whole; that about an archive says nothing of its members. */
  takeFile(settled: PromiseSettledResult<ScanResult>, type: FileType, bytes: number): void {
    if (this.#fails(settled)) return;
    this.#sawFile = settled.value.result !== 'not-scanned';
    if (settled.value.isCut === true) this.#cut = settled.value.detail;
    const isArchive = type.container !== undefined;
    if (isArchive && settled.value.result !== 'infected') return;
    const missed = covers(this.#coverage, type, bytes, 0)
      ? undefined
      : `the scanner does not read ${type.extension} of this length`;
    this.#take('', settled.value, missed);
  }

  /** Takes the opinion about a member. */
  takeMember(settled: PromiseSettledResult<ScanResult>, member: ArchiveMember, bytes: number): void {
    if (this.#fails(settled)) return;
    if (member.isArchive && settled.value.result !== 'infected') return;
    const missed = covers(this.#coverage, member.type, bytes, 0)
      ? undefined
      : `the scanner does not read ${member.type.extension} of this length`;
    this.#take(member.path, settled.value, missed);
  }

  #fails(settled: PromiseSettledResult<ScanResult>): settled is PromiseRejectedResult {
    if (settled.status === 'rejected') this.#failed ??= toAppError(settled.reason, 'scanner-failed').message;
    return settled.status === 'rejected';
  }

  check(): Check {
    const plugin = this.scanner.name;
    const quoted = (text: string): string => quotable(text, MAX_DETAIL);
    if (this.#infected !== undefined)
      return { plugin, status: 'FINISHED', result: 'infected', detail: quoted(this.#infected) };
    const failed = this.#failed ?? this.#cut;
    if (failed !== undefined) return { plugin, status: 'FAILED', result: 'not-scanned', detail: quoted(failed) };
    if (this.#missed !== undefined)
      return { plugin, status: 'FINISHED', result: 'not-scanned', detail: quoted(this.#missed) };
    return { plugin, status: 'FINISHED', result: 'clean' };
  }
}
