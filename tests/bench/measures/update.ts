import type { LivePage, LiveSubject } from '../live-page.ts';
import { median, quantile, rowsOf } from '../measure.ts';
import type { Row } from '../measure.ts';
import type { Stage } from '../stage.ts';
import { watch } from '../watch.ts';
import { quietTraffic } from '../quiet.ts';

export const name = 'update';

const WARM_UP = 20;
/** Number of times that a page is opened: the delay of a live replay may depend on its start. */
const OPENINGS = 3;
const TICKS = 60;
const ROUNDS = 3;

interface Figures {
  readonly ms: Record<string, number>;
  readonly bytes: Record<string, number>;
}

/**
 * Time from a change of the page's document to the same change of the shown one; bytes are those of the client's
 * messages, and on the wire.
 */
export async function run(stage: Stage): Promise<Row[]> {
  const taken = await stage.each(name, (subject) => take(stage, subject));
  const of = (unit: keyof Figures) => new Map([...taken].map(([subject, figures]) => [subject, figures[unit]]));
  return [...rowsOf('ms', of('ms')), ...rowsOf('bytes', of('bytes'))];
}

interface Sample {
  readonly ms: number;
  readonly bytes: number;
  readonly wire: number;
}

interface Samples {
  readonly ticks: number[];
  readonly create: Sample[];
  readonly reverse: Sample[];
}

async function take({ pages }: Stage, subject: LiveSubject): Promise<Figures> {
  const samples: Samples = { ticks: [], create: [], reverse: [] };
  for (let opening = 0; opening < OPENINGS; opening++) {
    const { url, command } = pages.page('bench/pages/update.html');
    const page = await subject.open(url);
    try {
      await sample(page, command, samples);
    } finally {
      await page.close();
    }
  }
  const { ticks, create, reverse } = samples;
  return {
    ms: {
      'text, median': median(ticks),
      'text, p95': quantile(ticks, 0.95),
      'create 1,000 rows, median': median(create.map(({ ms }) => ms)),
      'reverse 1,000 rows, median': median(reverse.map(({ ms }) => ms)),
    },
    bytes: {
      'create 1,000 rows, median': median(create.map(({ bytes }) => bytes)),
      'reverse 1,000 rows, median': median(reverse.map(({ bytes }) => bytes)),
      'create 1,000 rows, on the wire': median(create.map(({ wire }) => wire)),
      'reverse 1,000 rows, on the wire': median(reverse.map(({ wire }) => wire)),
    },
  };
}

async function sample(page: LivePage, command: (text: string) => void, samples: Samples): Promise<void> {
  const { until } = await watch(page);
  command(`tick ${WARM_UP}`);
  await until('ticked');
  command(`tick ${TICKS}`);
  // Two changes that arrive together are seen as one.
  const ticks = (await until('ticked')).filter(({ kind }) => kind === 'tick');
  samples.ticks.push(...ticks.map(({ ms }) => ms));
  for (let round = 0; round < ROUNDS; round++) {
    for (const kind of ['create', 'reverse', 'clear'] as const) {
      const before = await quietTraffic(page);
      command(kind);
      const ms = (await until(kind)).at(-1)?.ms ?? NaN;
      const after = await quietTraffic(page);
      if (kind !== 'clear')
        samples[kind].push({ ms, bytes: after.received - before.received, wire: after.wire - before.wire });
    }
  }
}
