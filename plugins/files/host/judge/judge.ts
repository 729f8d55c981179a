import { quotable } from '../../../../host/plugin.ts';
import { walkArchive } from './archives.ts';
import type { ArchiveReport, ArchiveWalk } from './archives.ts';
import { isDocumentEncrypted } from './encryption.ts';
import { fanOut } from './fan-out.ts';
import type { FileBytes } from './format/file-bytes.ts';
import type { FileType } from './format/file-groups.ts';
import { safeFileName } from './file-name.ts';
import { fileType } from './file-type.ts';
import { ARCHIVE_LIMITS } from './limits.ts';
import type { ArchiveLimits } from './limits.ts';
import { ScannerTally } from './scanner-tally.ts';
import type { Check, JudgingScanner } from './scanner-tally.ts';
import type { ScanResult } from './scanners/scanner.ts';

/** Time for a scan beside the time that its bytes take, in ms. */
const SCAN_MS = 60_000;
/** Bytes a second that a scanner takes at least. */
const SCAN_PACE = 2_000_000;

/** Whether a file or something in it is encrypted; the worst of all. */
type Encrypted = 'no' | 'needs-password' | 'wrong-password' | 'opened' | 'unopenable';

/** Everything that is known of a file once it has been judged. */
export interface Findings {
  readonly type: FileType;
  readonly encrypted: Encrypted;
  /** Members of archives that were read. */
  readonly members: number;
  readonly checks: readonly Check[];
}

/** Circumstances of {@link judge}. */
interface JudgeOptions {
  readonly name: string;
  /** For the archives in the file that ask for one. */
  readonly password?: string;
  readonly scanners: readonly JudgingScanner[];
  readonly signal: AbortSignal;
  readonly limits?: Partial<ArchiveLimits>;
  /** Called with the part of the checks that is finished, 0 to 1, and with those. */
  readonly onProgress?: (fraction: number, checks: readonly Check[]) => void;
}

const ENCRYPTED_RANK = ['unopenable', 'wrong-password', 'needs-password'] as const;

function encryptedOf({ problems, opened }: ArchiveReport, isUnopenable: boolean): Encrypted {
  if (isUnopenable) return 'unopenable';
  const worst = ENCRYPTED_RANK.find((rank) => problems.some(({ kind }) => kind === rank));
  return worst ?? (opened ? 'opened' : 'no');
}

function archiveCheck({ problems }: ArchiveReport): Check {
  const plugin = 'archive';
  const problem = problems.find(({ kind }) => kind === 'suspicious') ?? problems[0];
  if (!problem) return { plugin, status: 'FINISHED', result: 'clean' };
  const detail = quotable(problem.path === '' ? problem.detail : `${problem.path}: ${problem.detail}`, 300);
  return { plugin, status: 'FINISHED', result: problem.kind === 'suspicious' ? 'suspicious' : 'not-scanned', detail };
}

const scanMs = (bytes: number): number => SCAN_MS + (bytes / SCAN_PACE) * 1000;

/** The length of a stream that has been read, beside the stream. */
function measured(stream: AsyncIterable<Uint8Array>): { stream: AsyncIterable<Uint8Array>; bytes: () => number } {
  let bytes = 0;
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of stream) {
      bytes += chunk.length;
      yield chunk;
    }
  }
  return { stream: counted(), bytes: () => bytes };
}

/**
 * Judges a file: its type by its bytes, what is in it, and what each scanner says of the whole and of the members that the scanner does not reach by
 * itself. A scanner that fails is a failed check, not an error. Reads the file once for all scanners, and once for its archives.
 *
 * @throws the reason of `signal`, or a fault of `file`
 */
export async function judge(file: FileBytes, options: JudgeOptions): Promise<Findings> {
  const { signal, onProgress = () => undefined } = options;
  const limits = { ...ARCHIVE_LIMITS, ...options.limits };
  const type = await fileType(file);
  const isUnopenable = await isDocumentEncrypted(file);
  const tallies = options.scanners.map((scanner) => new ScannerTally(scanner));
  const name = safeFileName(options.name);

  async function scan(
    stream: AsyncIterable<Uint8Array>,
    chosen: readonly ScannerTally[],
    bytes: number,
    as: string,
  ): Promise<PromiseSettledResult<ScanResult>[]> {
    const settled = await fanOut(
      stream,
      chosen.map(
        ({ scanner }) =>
          (part: AsyncIterable<Uint8Array>) =>
            scanner.scan(part, { name: as, signal, deadlineMs: scanMs(bytes) }),
      ),
    );
    signal.throwIfAborted();
    return settled;
  }

  const visit =
    (among: readonly ScannerTally[]): ArchiveWalk['visit'] =>
    async (member, stream) => {
      const chosen = among.filter((tally) => !tally.isSettled && !tally.hasSeenInside(type, file.size, member));
      if (chosen.length === 0) return;
      const source = measured(stream);
      const settled = await scan(source.stream, chosen, member.size ?? limits.unpackedBytes, safeFileName(member.path));
      const bytes = Math.max(member.size ?? 0, source.bytes());
      for (const [index, result] of settled.entries()) chosen[index]?.takeMember(result, member, bytes);
    };

  const whole = await scan(file.stream(), tallies, file.size, name);
  for (const [index, result] of whole.entries()) tallies[index]?.takeFile(result, type, file.size);
  onProgress(
    0.5,
    tallies.filter(({ isSettled }) => isSettled).map((tally) => tally.check()),
  );

  // One scanner is enough to refuse a file.
  const isInfected = tallies.some((tally) => tally.isInfected);
  const nothing: ArchiveReport = { members: 0, problems: [], opened: false };
  const password = options.password === undefined ? {} : { password: options.password };
  const walk = { limits, ...password, signal };
  const report = isInfected ? nothing : await walkArchive(file, type, { ...walk, visit: visit(tallies) });
  const again = tallies.filter((tally) => tally.needsEachMember());
  if (again.length > 0) await walkArchive(file, type, { ...walk, visit: visit(again) });
  const hasArchive = type.container !== undefined || type.group === 'archive' || report.problems.length > 0;
  const checks = [
    ...(hasArchive && !isInfected ? [archiveCheck(report)] : []),
    ...tallies.map((tally) => tally.check()),
  ];
  onProgress(1, checks);
  return { type, encrypted: encryptedOf(report, isUnopenable), members: report.members, checks };
}
