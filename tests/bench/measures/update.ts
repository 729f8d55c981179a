import type { LiveSubject } from '../live-page.ts';
import { median, quantile, rowsOf } from '../measure.ts';
import type { Row } from '../measure.ts';
import type { Stage } from '../stage.ts';
import { watch } from '../watch.ts';
import { quietTraffic } from '../quiet.ts';

export const name = 'update';

const WARM_UP = 20;
const TICKS = 150;
const ROUNDS = 7;

interface Figures {
  readonly ms: Record<string, number>;
  readonly bytes: Record<string, number>;
}

/** From a change of the page's document to the same change of the shown one; bytes are those the client received. */
export async function run(stage: Stage): Promise<Row[]> {
  const taken = await stage.each((subject) => take(stage, subject));
  const of = (unit: keyof Figures) => new Map([...taken].map(([subject, figures]) => [subject, figures[unit]]));
  return [...rowsOf('ms', of('ms')), ...rowsOf('bytes', of('bytes'))];
}

async function take({ pages }: Stage, subject: LiveSubject): Promise<Figures> {
  const { url, command } = pages.page('bench/pages/update.html');
  const page = await subject.open(url);
  try {
    const { until } = await watch(page);
    command(`tick ${WARM_UP}`);
    await until('ticked');
    command(`tick ${TICKS}`);
    // Two changes that arrive together are seen as one.
    const ticks = (await until('ticked', 40_000)).filter(({ kind }) => kind === 'tick').map((tick) => tick.ms);
    const ms: Record<string, number> = { 'text, median': median(ticks), 'text, p95': quantile(ticks, 0.95) };
    const bytes: Record<string, number> = {};
    const rounds = new Map<string, { ms: number; bytes: number }[]>();
    for (let round = 0; round < ROUNDS; round++) {
      for (const kind of ['create', 'reverse', 'clear']) {
        const before = (await quietTraffic(page)).received;
        command(kind);
        const seen = (await until(kind)).at(-1)?.ms ?? NaN;
        const after = (await quietTraffic(page)).received;
        rounds.set(kind, [...(rounds.get(kind) ?? []), { ms: seen, bytes: after - before }]);
      }
    }
    for (const kind of ['create', 'reverse']) {
      const all = rounds.get(kind) ?? [];
      ms[`${kind} 1,000 rows, median`] = median(all.map((round) => round.ms));
      bytes[`${kind} 1,000 rows, median`] = median(all.map((round) => round.bytes));
    }
    return { ms, bytes };
  } finally {
    await page.close();
  }
}
