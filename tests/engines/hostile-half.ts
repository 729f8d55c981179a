import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import type { Batch } from '../../plugins/mirror/ops.ts';
import { h, html, PageWriter } from '../../plugins/mirror/tests/page-writer.ts';
import type { Harness } from '../../plugins/mirror/tests/shell-entry.ts';
import { serveView } from '../../plugins/mirror/tests/view-server.ts';
import { OP } from '../../plugins/mirror/ops.ts';
import type { Canary } from '../e2e/support/canary.ts';
import { MARK_GLOBAL } from '../e2e/support/hostile-pages.ts';
import { scanView } from '../e2e/support/view-scan.ts';
import { hostileDocument, hostileTexts } from '../security/hostile-ops.ts';
import type { Engine } from './engine.ts';

/** Total number of documents, and number at a time: each in a frame of its own. */
const DOCUMENTS = 1_000;
const TOGETHER = 20;
const SEED = 20_250_101;
/** Time after which a document that is not in the view never will be, in ms. */
const APPLIED_MS = 45_000;
const LATE_MS = 1_000;
const MAIN = 1;

/**
 * Sends documents as a hostile page half could write them to the client, past the host, and returns their effects: code
 * that has run, requests, forbidden content of a view, errors.
 */
export async function feedHostileHalf(engine: Engine, canary: Canary): Promise<string | undefined> {
  await using server = { ...(await serveView()), [Symbol.asyncDispose]: () => server.close() };
  const before = canary.visits.length;
  await engine.goto(server.origin);
  await engine.evaluate(watch, undefined);
  const frames = Array.from({ length: TOGETHER }, (_, at) => MAIN + 1 + at);
  const page = new PageWriter(1);
  page.doc().insert(1, 0, html(frames.map((frame) => h('iframe', { id: `f${frame}` }))));
  for (const frame of frames) page.op(OP.frame, page.id(`f${frame}`), frame);
  await feed(engine, [{ frame: MAIN, batches: [page.batch()] }]);

  const drawn = fc.sample(hostileDocument(hostileTexts(canary.origin), true), { numRuns: DOCUMENTS, seed: SEED });
  for (let from = 0; from < drawn.length; from += TOGETHER) {
    const round = drawn.slice(from, from + TOGETHER).map((batches, at) => ({
      frame: frames[at] ?? MAIN,
      batches: batches.map((batch) => ({ ...batch, epoch: 2 + from + at })),
    }));
    await feed(engine, round);
    const sandbox = await engine.evaluate(
      () => document.querySelector('iframe')?.getAttribute('sandbox') ?? '',
      undefined,
    );
    const { violations } = await engine.evaluate(scanView, { forbidden: [canary.host], sanitized: false, sandbox });
    if (violations.length > 0) return violations.join('\n');
  }
  await delay(LATE_MS);
  const { ran, errors, address } = await engine.evaluate(seen, MARK_GLOBAL);
  if (ran) return 'an op has run code';
  if (errors.length > 0) return `the client has thrown ${errors.join()}`;
  if (address !== `${server.origin}/`) return `the shell has been led to ${address}`;
  if (canary.visits.length > before) return `the client has loaded ${canary.visits.slice(before).join()}`;
  const strayed = server.requests.filter((path) => !/^\/c\/[a-z]\/[\w.-]+$/.test(path));
  return strayed.length > 0 ? `the client has asked for ${strayed.slice(0, 5).join()}` : undefined;
}

/** Content for one frame. */
interface Fed {
  readonly frame: number;
  readonly batches: readonly Batch[];
}

async function feed(engine: Engine, round: readonly Fed[]): Promise<void> {
  const late = await engine.evaluate(apply, { round, appliedMs: APPLIED_MS });
  if (late.length > 0) throw new Error(`Not applied in frames ${late.join()}.`);
}

type ShellWindow = Window & { harness: Harness; thrown?: string[] };

/** Runs in the shell. */
function watch(): void {
  const shell = window as unknown as ShellWindow; // the page is the harness's
  const thrown: string[] = (shell.thrown = []);
  shell.addEventListener('error', ({ message }) => thrown.push(message));
  shell.addEventListener('unhandledrejection', ({ reason }) => thrown.push(String(reason)));
}

/** Runs in the shell. Returns the frames whose documents are not in the view in time. */
async function apply({
  round,
  appliedMs,
}: {
  readonly round: readonly Fed[];
  readonly appliedMs: number;
}): Promise<number[]> {
  const { harness } = window as unknown as ShellWindow; // the page is the harness's
  const reached = harness.reached as number[][]; // no other code uses it here
  reached.length = 0;
  for (const { frame, batches } of round) for (const batch of batches) harness.feed(frame, batch);
  const end = performance.now() + appliedMs;
  for (;;) {
    const late = round.filter(({ frame, batches }) => {
      const last = batches.at(-1);
      return !reached.some(([at, epoch, seq]) => at === frame && epoch === last?.epoch && seq === last?.seq);
    });
    if (late.length === 0 || performance.now() > end) return late.map(({ frame }) => frame);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Runs in the shell. */
function seen(mark: string): { readonly ran: boolean; readonly errors: string[]; readonly address: string } {
  const { thrown = [] } = window as unknown as ShellWindow; // watch() has put it there
  return { ran: mark in window, errors: thrown, address: location.href };
}
