import { setTimeout as delay } from 'node:timers/promises';
import type { BrowserContext } from 'playwright';
import { VIEWPORT } from '../../fidelity/browser.ts';
import { metric } from '../host-metrics.ts';
import { liveProduct } from '../live-product.ts';
import type { Row } from '../measure.ts';
import { memoryByKind, PROCESS_KINDS, usageOf } from '../processes.ts';
import type { Stage } from '../stage.ts';

export const name = 'density';

/** Tabs that are opened beside a person's first. */
const TABS = 3;
const SETTLE_MS = 4000;
const WATCH_MS = 8000;
/** Number of looks, twice a second, for people who have left to be gone. */
const GONE_LOOKS = 180;
const MIB = 1024 * 1024;
/** Number of frames: no tab shows all of them while it is watched. */
const FRAMES = 100_000;

const KINDS = { idle: 'corpus/article.html', busy: 'bench/pages/churn.html' } as const;

/** Numbers of people, each with one of these pages. */
const PEOPLE = [1, 5, 20];
const REAL = ['corpus/article.html', 'corpus/table.html', 'corpus/layout.html', 'corpus/typing.html'];

/**
 * Memory of people with a page each, by kind of process, and of the same people once they have left their pages. Then the
 * cost of a further tab of a person on the host's side: of the host's own process, and of the person's surrogate, in
 * memory and in per cent of one processor. The busy page makes twenty changes in each frame.
 */
export async function run(stage: Stage): Promise<Row[]> {
  const { host, hostPid, browser } = stage;
  if (host === undefined) return [];
  if (hostPid === undefined) throw new Error('the host is not the run’s own');
  const rows: Row[] = [];
  for (const people of PEOPLE) rows.push(...(await crowd(stage, host, hostPid, people)));
  for (const kind of ['idle', 'busy'] as const) {
    const context = await browser.newContext({ viewport: VIEWPORT });
    try {
      rows.push(...(await take(stage, host, hostPid, context, kind)));
    } finally {
      await context.close();
    }
  }
  return rows;
}

/** Memory of the host with some people, and after they have gone. */
async function crowd({ pages, browser }: Stage, host: string, pid: number, people: number): Promise<Row[]> {
  const contexts = await Promise.all(Array.from({ length: people }, () => browser.newContext({ viewport: VIEWPORT })));
  try {
    await warm(host);
    for (const [n, context] of contexts.entries())
      await liveProduct(context, host).open(pages.page(REAL[n % REAL.length] ?? KINDS.idle).url);
    await delay(SETTLE_MS);
    const bytes = await memoryByKind(pid);
    const start = await usageOf(pid);
    await delay(WATCH_MS);
    const end = await usageOf(pid);
    const cpuMs = end.itself.cpuMs + end.below.cpuMs - start.itself.cpuMs - start.below.cpuMs;
    await Promise.all(contexts.flatMap((context) => context.pages()).map((page) => page.close()));
    for (let n = 0; n < GONE_LOOKS && (await metric(host, 'vitrine_sessions')) > 0; n++) await delay(500);
    const left = await memoryByKind(pid);
    const row = (what: string, value: number, unit: Row['unit'] = 'MiB'): Row => ({
      name: `${people} people: ${what}`,
      unit,
      values: { vitrine: value },
    });
    const sum = (of: typeof bytes): number => PROCESS_KINDS.reduce((total, kind) => total + of[kind], 0) / MIB;
    return [
      row('memory of all', sum(bytes)),
      row('memory of each', sum(bytes) / people),
      ...PROCESS_KINDS.map((kind) => row(kind, bytes[kind] / MIB)),
      row('processor of each, idle', (cpuMs / WATCH_MS / people) * 100, '%'),
      row('memory after they have left', sum(left)),
    ];
  } finally {
    for (const context of contexts) await context.close();
  }
}

async function take(
  { pages }: Stage,
  host: string,
  pid: number,
  context: BrowserContext,
  kind: keyof typeof KINDS,
): Promise<Row[]> {
  const subject = liveProduct(context, host);
  await subject.open(pages.page(KINDS.idle).url); // launches the person's browser
  await warm(host);
  const before = await watched(pid);
  for (let n = 0; n < TABS; n++) {
    const { url, command } = pages.page(KINDS[kind]);
    await subject.open(url);
    if (kind === 'busy') command(`churn ${FRAMES}`);
  }
  const after = await watched(pid);
  const row = (what: string, unit: Row['unit'], share: (of: typeof after) => number): Row => ({
    name: what,
    unit,
    values: { vitrine: Math.max(0, (share(after) - share(before)) / TABS) },
  });
  return [
    row(`host, memory of a further ${kind} tab`, 'MiB', ({ itself }) => itself.bytes / MIB),
    row(`surrogate, memory of a further ${kind} tab`, 'MiB', ({ below }) => below.bytes / MIB),
    row(`host, processor, ${kind} tab`, '%', ({ itself }) => itself.percent),
    row(`surrogate, processor, ${kind} tab`, '%', ({ below }) => below.percent),
  ];
}

/** Waits until the pool is as it was before the person connected. */
async function warm(host: string): Promise<void> {
  for (let n = 0; n < 300 && (await metric(host, 'vitrine_surrogates_warm')) < 1; n++) await delay(100);
}

async function watched(pid: number) {
  await delay(SETTLE_MS);
  const begin = await usageOf(pid);
  const start = performance.now();
  await delay(WATCH_MS);
  const end = await usageOf(pid);
  const ms = performance.now() - start;
  const of = (which: 'itself' | 'below') => ({
    bytes: end[which].bytes,
    percent: ((end[which].cpuMs - begin[which].cpuMs) / ms) * 100,
  });
  return { itself: of('itself'), below: of('below') };
}
