import type { LivePage, LiveSubject } from '../live-page.ts';
import { rowsOf } from '../measure.ts';
import type { Row } from '../measure.ts';
import { quietTraffic } from '../quiet.ts';
import type { Stage } from '../stage.ts';
import { watch } from '../watch.ts';

export const name = 'bytes';

const FIRST_VIEWS = {
  'first view, article': 'corpus/article.html',
  'first view, table': 'corpus/table.html',
  'first view, 300 entries': 'bench/pages/long.html',
};
/** A hundred characters; the page treats the full stop as the end. */
const TEXT = `${'the quick brown fox jumps over the lazy dog and '.repeat(3).slice(0, 99)}.`;
const CHURN_FRAMES = 300;

/** Bytes that the client receives for a page's content: websocket payloads, and resources of the page over HTTP. */
export async function run(stage: Stage): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [title, file] of Object.entries(FIRST_VIEWS)) {
    const taken = await stage.each(title, (subject) => firstView(stage, subject, title, file));
    rows.push(...rowsOf('bytes', taken));
  }
  rows.push(...rowsOf('bytes', await stage.each('typing', (subject) => typing(stage, subject))));
  rows.push(...rowsOf('bytes', await stage.each('heavy mutation', (subject) => churn(stage, subject))));
  return rows;
}

function firstView(
  { pages }: Stage,
  subject: LiveSubject,
  title: string,
  file: string,
): Promise<Record<string, number>> {
  return onPage(subject, pages.page(file).url, async (page) => ({
    [title]: (await quietTraffic(page)).received + page.content(),
  }));
}

function typing({ pages }: Stage, subject: LiveSubject): Promise<Record<string, number>> {
  return onPage(subject, pages.page('bench/pages/typing.html').url, async (page) => {
    const { until } = await watch(page);
    await page.hands.mouse.click(200, 150);
    const before = await quietTraffic(page);
    await page.hands.keyboard.type(TEXT, { delay: 30 });
    await until('typed');
    const after = await quietTraffic(page);
    const figures: Record<string, number> = {
      'typing, a character': (after.received - before.received) / TEXT.length,
      'typing, a character, on the wire': (after.wire - before.wire) / TEXT.length,
    };
    // A peer that only shows sends nothing upstream.
    if (page.hands === page.client) figures['typing, a character, sent'] = (after.sent - before.sent) / TEXT.length;
    return figures;
  });
}

function churn({ pages }: Stage, subject: LiveSubject): Promise<Record<string, number>> {
  const { url, command } = pages.page('bench/pages/churn.html');
  return onPage(subject, url, async (page) => {
    const { until } = await watch(page);
    const before = await quietTraffic(page);
    command(`churn ${CHURN_FRAMES}`);
    await until('churn', 60_000);
    const after = await quietTraffic(page);
    return {
      'heavy mutation, 6,000 changes': after.received - before.received,
      'heavy mutation, 6,000 changes, on the wire': after.wire - before.wire,
    };
  });
}

async function onPage<T>(subject: LiveSubject, url: string, take: (page: LivePage) => Promise<T>): Promise<T> {
  const page = await subject.open(url);
  try {
    return await take(page);
  } finally {
    await page.close();
  }
}
