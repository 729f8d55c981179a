import type { Result } from './results.ts';

const COLUMNS = ['exact', '<0.1 %', '<1 %', '<=5 %', '>5 %', 'failed'] as const;
type Column = (typeof COLUMNS)[number];

/** Column of a result in the table. */
function columnOf({ differing, share }: Result): Column {
  if (differing === undefined || share === undefined) return 'failed';
  if (differing === 0) return 'exact';
  if (share < 0.001) return '<0.1 %';
  if (share < 0.01) return '<1 %';
  return share <= 0.05 ? '<=5 %' : '>5 %';
}

/** The table: a row for each corpus and subject, and one for all of a subject when there are several corpora. */
export function table(results: readonly Result[]): string {
  const corpora = [...new Set(results.map(({ corpus }) => corpus))];
  const subjects = [...new Set(results.map(({ subject }) => subject))].sort().reverse();
  const groups = corpora.length > 1 ? [...corpora, undefined] : corpora;
  const rows = groups.flatMap((corpus) =>
    subjects.map((subject) => {
      const own = results.filter((result) => result.subject === subject && (corpus ?? result.corpus) === result.corpus);
      const counts = COLUMNS.map((column) => own.filter((result) => columnOf(result) === column).length);
      const exact = own.length === 0 ? 0 : (100 * (counts[0] ?? 0)) / own.length;
      return [corpus ?? 'all', subject, String(own.length), ...counts.map(String), `${exact.toFixed(1)} %`];
    }),
  );
  return align([['corpus', 'subject', 'pages', ...COLUMNS, 'share exact'], ...rows]);
}

/** The `count` results that are farthest from exact, one a line, those that failed first. */
export function worst(results: readonly Result[], count: number): string {
  const bad = results.filter(({ differing }) => differing !== 0);
  bad.sort((a, b) => (b.share ?? 2) - (a.share ?? 2));
  const lines = bad
    .slice(0, count)
    .map(({ corpus, page, subject, share, reason, notes }) => [
      share === undefined ? 'failed' : `${(100 * share).toFixed(3)} %`,
      subject,
      corpus + page,
      reason ?? notes.join('; '),
    ]);
  return align(lines);
}

/** Aligns rows in columns; numbers to the right, the last column unchanged. */
export function align(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) row.forEach((cell, i) => (widths[i] = Math.max(widths[i] ?? 0, cell.length)));
  const pad = (cell: string, width: number): string => {
    return /^[<>=]*\d[\d,.]*( %)?$/.test(cell) ? cell.padStart(width) : cell.padEnd(width);
  };
  return rows
    .map((row) =>
      row
        .map((cell, i) => pad(cell, widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
