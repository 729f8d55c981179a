import { AppError, validate } from '../../../host/plugin.ts';
import type { FileCheck, FileFindings } from '../../../host/plugin.ts';
import { judge } from './judge/judge.ts';
import { outcome } from './judge/outcome.ts';
import type { Check } from './judge/scanner-tally.ts';
import { judgedSchema } from './methods.ts';
import type { Judged } from './methods.ts';
import type { KnownScanner } from './known-scanners.ts';
import type { StoredFile } from './store/contract.ts';

/** Longest line of a judgement, in UTF-16 units: it has some checks. */
const MAX_LINE = 128 * 1024;

interface JudgeFileOptions {
  /** None where it is not to be scanned. */
  readonly scanners: readonly KnownScanner[];
  /** Opens archives even where no scanner looks at what is in them: to find out whether they are encrypted. */
  readonly open: boolean;
  readonly password: string | undefined;
  readonly signal: AbortSignal;
}

/** Archives are not opened: their members say nothing to anybody. */
const CLOSED = { depth: 0 };

/** Judges a file of the store, and tells of it in lines of JSON: the checks as they proceed, and at last the findings. */
export async function* judgementOf(
  file: StoredFile,
  { scanners, open, password, signal }: JudgeFileOptions,
): AsyncGenerator<Uint8Array> {
  const isOpened = open || scanners.length > 0;
  const labels = new Map(scanners.map(({ scanner, label }) => [scanner.name, label]));
  const shown = (checks: readonly Check[]): Judged['checks'] =>
    checks
      .filter(({ plugin }) => isOpened || plugin !== 'archive')
      .map((check) => ({ ...check, plugin: labels.get(check.plugin) ?? check.plugin }));
  const withPending = (finished: readonly Check[]): Judged['checks'] => [
    ...shown(finished),
    ...scanners
      .filter(({ scanner }) => !finished.some(({ plugin }) => plugin === scanner.name))
      .map(({ label }) => ({ plugin: label, status: 'PENDING' as const })),
  ];
  let checks = withPending([]);
  let news = Promise.withResolvers<void>();
  let isOver = false;
  const changed = (): void => {
    news.resolve();
    news = Promise.withResolvers();
  };
  const judging = judge(file, {
    name: file.facts.name,
    scanners,
    signal,
    ...(password !== undefined && { password }),
    ...(!isOpened && { limits: CLOSED }),
    onProgress: (_fraction, finished) => {
      checks = withPending(finished);
      changed();
    },
  });
  void judging
    .catch(() => undefined)
    .then(() => {
      isOver = true;
      changed();
    });
  const line = (judged: Judged): Uint8Array => Buffer.from(`${JSON.stringify(judged)}\n`);
  while (!isOver) {
    const { promise } = news; // taken before the line: what changes while it is sent is in the next one
    yield line({ checks });
    await promise;
  }
  const found = await judging; // throws what it has thrown
  const { verdict, reason } = outcome(found);
  const { mime, extension, group } = found.type;
  const isLocked = found.encrypted === 'needs-password' || found.encrypted === 'wrong-password';
  const sum = { verdict, reason, isLocked, scanners: scanners.length, checks: shown(found.checks) };
  yield line({ checks: sum.checks, findings: { type: { mime, extension, group }, ...sum } });
}

/** Reads what {@link judgementOf} tells. @throws AppError `bad-message`, and as the lines */
export async function readJudgement(
  lines: AsyncIterable<Uint8Array>,
  onChecks: (checks: readonly FileCheck[]) => void,
): Promise<FileFindings> {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const chunk of lines) {
    rest += decoder.decode(chunk, { stream: true });
    const whole = rest.split('\n');
    rest = whole.pop() ?? '';
    if (rest.length > MAX_LINE) throw new AppError('bad-message', 'A line of a judgement is too long.');
    for (const text of whole) {
      const { checks, findings } = validate(judgedSchema, JSON.parse(text), 'judge');
      onChecks(checks);
      if (findings) return findings;
    }
  }
  throw new AppError('bad-message', 'The judgement has no end.');
}
