import fc from 'fast-check';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FrameStream } from '../../plugins/mirror/host/frame-stream.ts';
import { testContext } from '../../plugins/mirror/host/sanitize/tests/context.ts';
import { SheetTexts } from '../../plugins/mirror/host/sheet-texts.ts';
import { SvgFiles } from '../../plugins/mirror/host/svg-files.ts';
import { OP } from '../../plugins/mirror/ops.ts';
import type { Batch } from '../../plugins/mirror/ops.ts';
import { h, html, PageWriter } from '../../plugins/mirror/tests/page-writer.ts';
import { useView } from '../../plugins/mirror/tests/view-page.ts';
import { startCanary } from '../e2e/support/canary.ts';
import type { Canary } from '../e2e/support/canary.ts';
import { watchPerson } from '../e2e/support/person-watch.ts';
import type { PersonWatch } from '../e2e/support/person-watch.ts';
import { scanView } from '../e2e/support/view-scan.ts';
import { hostileDocument, hostileTexts } from './hostile-ops.ts';
import { PATIENCE_MS, TEST_LIMIT_MS } from '../../core/testing/patience.ts';

/** Documents per test in frames within the page, where they are replaced fast; a tenth of it in place of the page. */
const DOCUMENTS = process.env.VITRINE_LONG ? 50_000 : 300;
const TOGETHER = 20;
const SEED = 20_250_101;
/** Ids of the page's own frame, and of those within it: as many as documents are sent together. */
const MAIN = 1;
const INNER = Array.from({ length: TOGETHER }, (_, at) => MAIN + 1 + at);
/**
 * Time after which a document that is not in the view never will be, in ms: its template may have to be loaded twice.
 */
const APPLIED_MS = PATIENCE_MS;
/** Time per document, in ms; a busy machine is slow. */
const DOCUMENT_MS = 200;
const TIMEOUT = { timeout: TEST_LIMIT_MS + DOCUMENTS * DOCUMENT_MS };

/** One document: the batches of an epoch. */
type Batches = readonly Batch[];

/** Effects of documents on the view and on the shell. */
interface Outcome {
  readonly applied: boolean;
  /** Errors thrown at the sender of a batch, and uncaught ones. */
  readonly thrown: readonly string[];
  readonly errors: readonly string[];
  readonly violations: readonly string[];
  readonly nodes: number;
  /** The shell without the content of the view, after each document: all that differ. */
  readonly shells: readonly string[];
}

const view = useView();
let canary: Canary;
/** The page in which the scan is installed. */
let scanning: Page | undefined;
let epochs = 0;

beforeAll(async () => {
  canary = await startCanary();
});
afterAll(() => canary.close());

/** The same as another document: fast-check sends a shrunk document under the number of the original. */
function anew(batches: Batches): Batch[] {
  const epoch = ++epochs;
  return batches.map((batch) => ({ ...batch, epoch }));
}

/** Sends documents to the client, one in each frame at a time; after each round, scans everything. */
async function feed(documents: readonly Batches[], frames: readonly number[], sanitized: boolean): Promise<Outcome> {
  const { page } = view();
  if (scanning !== page) await page.evaluate(`window.scanView = ${scanView.toString()}`);
  scanning = page;
  const outcome = await page.evaluate(
    async ([json, into, options, appliedMs]) => {
      const { harness, scanView: scan } = window as typeof window & { scanView: typeof scanView }; // put there above
      const { reached } = harness; // no other code uses it here
      const thrown: string[] = [];
      const violations = new Set<string>();
      const shells = new Set<string>();
      let nodes = 0;
      const isApplied = (frame: number, last: Batch | undefined): boolean =>
        reached.some(([at, epoch, seq]) => at === frame && epoch === last?.epoch && seq === last?.seq);
      const all = JSON.parse(json) as Batches[];
      let applied = true;
      for (let from = 0; applied && from < all.length; from += into.length) {
        reached.length = 0;
        const round = all.slice(from, from + into.length).map((batches, at) => ({ batches, frame: into[at] ?? 0 }));
        for (const { batches, frame } of round)
          for (const batch of batches)
            try {
              harness.feed(frame, batch);
            } catch (fault) {
              thrown.push(String(fault));
            }
        const deadline = performance.now() + appliedMs;
        do {
          await new Promise((resolve) => setTimeout(resolve));
          applied = round.every(({ batches, frame }) => isApplied(frame, batches.at(-1)));
        } while (!applied && performance.now() < deadline);
        const found = scan(options);
        nodes += found.nodes;
        for (const violation of found.violations) violations.add(violation);
        const shell = document.documentElement.cloneNode(true) as Element; // a clone of an element is one
        shell.querySelector('#vitrine-view')?.replaceChildren();
        const { title } = document;
        shells.add([shell.outerHTML, title, location.href, history.length, localStorage.length, name].join('\n'));
      }
      return { applied, thrown, nodes, violations: [...violations], shells: [...shells] };
    },
    [JSON.stringify(documents), frames, { forbidden: [canary.host], sanitized }, APPLIED_MS] as const,
  );
  return { ...outcome, errors: view().errors.splice(0) };
}

/** A harmless page with frames in it: the initial state, and the check that the client still works. */
function startPage(): Batches {
  const page = new PageWriter(++epochs);
  page.doc().insert(1, 0, html([...INNER.map((frame) => h('iframe', { id: `frame${frame}` })), 'still here']));
  for (const frame of INNER) page.op(OP.frame, page.id(`frame${frame}`), frame);
  return [page.batch()];
}

/** Opens the harmless page. Returns the shell. */
async function expectWorking(): Promise<readonly string[]> {
  const outcome = await feed([startPage()], [MAIN], true);
  expect(outcome).toMatchObject({ applied: true, thrown: [], errors: [], violations: [] });
  expect(await (await view().main()).evaluate(() => document.body.textContent)).toBe('still here');
  return outcome.shells;
}

/** Drops the content of the view and opens the harmless page: later findings come from later documents. */
async function startAfresh(): Promise<void> {
  await view().page.evaluate(
    (frames) => {
      for (const frame of frames) window.harness.gone(frame);
    },
    [...INNER, MAIN],
  );
  await feed([startPage()], [MAIN], true);
}

/** Sends all documents of a test, first in place of the page, then in the frame within it, and expects no effects. */
async function expectHarmless(
  texts: readonly string[],
  options: { readonly malformed: boolean; readonly sanitized: boolean },
  prepare: (batches: Batches) => Batches | Promise<Batches>,
): Promise<number> {
  let nodes = 0;
  let wasFound = false;
  const check = async (
    drawn: readonly Batches[],
    frames: readonly number[],
    shells: readonly string[],
  ): Promise<void> => {
    if (wasFound) await startAfresh();
    wasFound = true; // unless there are findings
    const documents: Batches[] = [];
    for (const batches of drawn) {
      const prepared = await prepare(anew(batches));
      if (prepared.length > 0) documents.push(prepared);
    }
    const outcome = await feed(documents, frames, options.sanitized);
    nodes += outcome.nodes;
    expect(outcome).toMatchObject({ applied: true, thrown: [], errors: [], violations: [] });
    expect(shells).toEqual(expect.arrayContaining([...outcome.shells]));
    wasFound = false;
  };
  const drawn = fc.array(hostileDocument(texts, options.malformed), { minLength: TOGETHER, maxLength: TOGETHER });
  for (const [frames, documents] of [
    [[MAIN], DOCUMENTS / 10],
    [INNER, DOCUMENTS],
  ] as const) {
    const shells = await expectWorking();
    await fc.assert(
      fc.asyncProperty(drawn, (some) => check(some, frames, shells)),
      // Shrinking a counterexample takes longer than the test may.
      { numRuns: Math.ceil(documents / TOGETHER), seed: SEED, endOnFailure: true },
    );
  }
  await expectWorking();
  return nodes;
}

async function expectUntouched(watch: PersonWatch): Promise<void> {
  expect(await watch.findings()).toEqual([]);
  expect(canary.visits).toEqual([]);
}

describe('a hostile page half', () => {
  it('gets nothing through the host that runs, loads or navigates', TIMEOUT, async () => {
    const watch = watchPerson(view().page.context(), new URL(view().page.url()).origin);
    const texts = hostileTexts(canary.origin);
    let batches = 0;
    let passed = 0;
    const nodes = await expectHarmless(texts, { malformed: false, sanitized: true }, async (drawn) => {
      const safe = await throughHost(drawn, texts);
      batches += drawn.length;
      passed += safe.length;
      return safe;
    });
    // The generator follows the grammar: most of its documents get that far.
    expect(passed).toBeGreaterThan(batches / 2);
    expect(nodes).toBeGreaterThan(DOCUMENTS * 10);
    expect(view().requests.filter((path) => !/^\/c\/[ifms]\/tab1\.[\w-]{43}$/.test(path))).toEqual([]);
    await expectUntouched(watch);
  });

  it('gets no further without the host’s checks', TIMEOUT, async () => {
    const { page } = view();
    const watch = watchPerson(page.context(), new URL(page.url()).origin, { mayBeStopped: true });
    const options = { malformed: true, sanitized: false };
    await expectHarmless(hostileTexts(canary.origin), options, (batches) => batches);
    await expectUntouched(watch);
  });
});

/**
 * Output of the host's half of the mirror for batches; none after a batch that it refuses. Every file it requests is
 * hostile.
 */
async function throughHost(batches: Batches, texts: readonly string[]): Promise<Batch[]> {
  const { resource } = testContext();
  const load = async (_frame: number, address: string): Promise<string> =>
    texts[address.length % (texts.length + 5)] ??
    `<svg xmlns="http://www.w3.org/2000/svg" onload="1"><a href="javascript:1"/>${texts[9] ?? ''}</svg>`;
  const making = { load, resource, keepsInline: () => true, kin: () => '' };
  const sheets = new SheetTexts(making);
  const files = new SvgFiles(making);
  const safe: Batch[] = [];
  const stream = new FrameStream(
    {
      frame: MAIN,
      resource,
      sheet: (job, signal) => sheets.text(MAIN, job, signal),
      svg: (address) => files.path(MAIN, address),
      emit: (batch) => safe.push(batch),
      onTaken: () => undefined,
    },
    true,
  );
  for (const batch of batches)
    try {
      stream.take(batch);
    } catch (thrown) {
      expect(thrown).toMatchObject({ code: 'mirror-refused' });
      break;
    }
  await expect.poll(() => stream.queued, { interval: 1 }).toBe(0); // sheets are worked on in turns of some ms
  return safe;
}

it('finds plants in a scan', async () => {
  await expectWorking();
  const main = await view().main();
  await main.evaluate((address) => {
    const root = document.body.appendChild(document.createElement('div')).attachShadow({ mode: 'open' });
    const add = (name: string, attributes: Readonly<Record<string, string>>): void => {
      const element = document.createElement(name);
      for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
      root.append(element);
    };
    add('script', {});
    add('a', { href: ' java\nscript:1' });
    add('img', { src: '/r/unpair', onanything: '1' });
    add('form', {});
    add('meta', { 'http-equiv': 'x' });
    add('link', { href: '/x' });
    add('p', { style: `background:url(${address})` });
    document.querySelector('iframe')?.removeAttribute('sandbox');
  }, `${canary.origin}/planted`);
  const { violations } = await view().page.evaluate(scanView, { forbidden: [canary.host], sanitized: true });
  for (const what of [
    '<script> must not be there',
    'is code',
    'loads',
    'is a handler',
    'has no action',
    'http-equiv',
    '<link> has an address',
    'has the address',
    'has the sandbox',
  ])
    expect(violations.join('\n')).toContain(what);
});
