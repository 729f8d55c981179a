import { setTimeout as delay } from 'node:timers/promises';
import type { Route } from 'playwright';
import { expect, it } from 'vitest';
import { VIEW_TEMPLATES } from '../../../host/gateway/view-templates.ts';
import type { ViewTemplate } from '../../../host/gateway/view-templates.ts';
import { DOCUMENT_ID, MODES, OP } from '../ops.ts';
import { h, html, PageWriter } from './page-writer.ts';
import { eventually, useView } from './view-page.ts';

const view = useView();
const reports = (): Promise<string[]> => view().page.evaluate(() => window.harness.reports);

const stopClock = (): Promise<void> => view().stopClock();
const pass = (ms: number): Promise<void> => view().pass(ms);

/** A page in limited-quirks mode: the template of the standards mode is loaded in advance. */
function oldPage(epoch: number, text: string): PageWriter {
  return page(epoch, text, MODES.indexOf('limited-quirks'));
}
function page(epoch: number, text: string, mode = 0): PageWriter {
  return new PageWriter(epoch).doc(mode).insert(DOCUMENT_ID, 0, html([h('p', { id: 'p' }, [text])]));
}
const titleOf = async (): Promise<string | undefined> =>
  (await view().main()).evaluate(() => document.getElementById('p')?.title);

it('[S-155] reports a template of the wrong mode, and shows the page anyway', async () => {
  const { body, contentType } = VIEW_TEMPLATES['html-quirks'] as ViewTemplate;
  await view().page.route('**/html-limited-quirks', (route) => route.fulfill({ body, contentType }));
  await view().feed(1, oldPage(1, 'one').batch());
  expect(await reports()).toEqual(['tc-doctype-load-mismatch']);
  expect(await (await view().main()).evaluate(() => document.body.innerText)).toBe('one');
});

it('[M-111] [S-155] reports a template that has not loaded within 10 s, not again within 10 s, retries and loses nothing', async () => {
  let attempts = 0;
  let isBroken = true;
  const held = Promise.withResolvers<void>();
  await view().page.route('**/html-limited-quirks', async (route) => {
    attempts += 1;
    await held.promise;
    await (isBroken ? route.abort() : route.fallback());
  });
  await stopClock();
  const written = oldPage(1, 'one');
  await view().push(1, written.batch(), written.attribute('p', 'title', 'kept').batch());
  await eventually(() => attempts).toBe(1);
  await pass(9999);
  expect(await reports()).toEqual([]);
  await pass(1);
  await eventually(reports).toEqual(['tc-frame-load-timed-out']);

  held.resolve();
  // The browser decides when an attempt fails: the clock advances in steps until the expected state is reached, and gives it time for one in between.
  let passed = 0;
  const passUntil = async (done: () => boolean | Promise<boolean>, limit: number): Promise<void> => {
    for (; passed < limit && !(await done()); passed += 500) {
      const before = attempts;
      await pass(500);
      for (let looks = 0; looks < 10 && attempts === before; looks++) await delay(50);
    }
  };
  await passUntil(() => attempts > 3, 9000);
  expect(attempts).toBeGreaterThan(3);
  expect(await reports()).toHaveLength(1);
  await passUntil(async () => (await reports()).length > 1, 30_000);
  expect(passed).toBeGreaterThanOrEqual(10_000);
  expect(await reports()).toEqual(['tc-frame-load-timed-out', 'tc-frame-load-timed-out']);

  isBroken = false;
  passed = 0;
  await passUntil(async () => (await titleOf()) === 'kept', 30_000);
  expect(await titleOf()).toBe('kept');
});

it('[S-155] [S-168] reports a frame whose content has not arrived within 500 polls of 100 ms, and shows it when it arrives', async () => {
  await stopClock();
  const outer = new PageWriter(1);
  outer.doc().insert(DOCUMENT_ID, 0, html([h('iframe', { id: 'a' }), h('iframe', { id: 'b' })]));
  outer.op(OP.frame, outer.id('a'), 5).op(OP.frame, outer.id('b'), 6);
  await view().feed(1, outer.batch());
  await view().feed(6, page(60, 'in time').batch());
  await pass(500 * 100 - 1);
  expect(await reports()).toEqual([]);
  await pass(1);
  expect(await reports()).toEqual(['tc-frame-helper-load-timed-out']);
  await view().feed(5, page(50, 'late').batch());
  const main = await view().main();
  const inner = await main.evaluate(
    () => document.querySelector<HTMLIFrameElement>('#a')?.contentDocument?.body.innerText,
  );
  expect(inner).toBe('late');
});

it('[R-115] reports a frame of the view that has navigated to another domain, and has it sent and shown again', async () => {
  await view()
    .page.context()
    .route('https://elsewhere.test/**', (route) =>
      route.fulfill({ body: '<!doctype html><p>another', contentType: 'text/html' }),
    );
  await view().feed(1, page(1, 'ours').batch());
  expect(await reports()).toEqual([]);
  await (await view().main()).evaluate(() => location.assign('https://elsewhere.test/'));
  await eventually(reports).toEqual(['tc-domframe-invalid-domain']);
  await eventually(() => view().page.evaluate(() => window.harness.sent.map(({ name }) => name))).toContain('graft');
  await view().feed(1, page(2, 'ours again').batch());
  expect(await (await view().main()).evaluate(() => document.body.innerText)).toBe('ours again');
});

it('[R-115] reports pictures that the host did not send, or that the browser cannot decode, and none that the site lacks', async () => {
  const { page: shell } = view();
  const faults: Readonly<Record<string, Parameters<Route['fulfill']>[0]>> = {
    lacking: { status: 404 },
    broken: { status: 200, contentType: 'image/png', body: 'no picture' },
    failed: { status: 503 },
  };
  await shell.route('**/c/i/*', async (route) => {
    const name = route.request().url().split('/').at(-1) ?? '';
    const answer = faults[name];
    await (answer ? route.fulfill(answer) : name === 'cut' ? route.abort() : route.fallback());
  });
  const shows = async (epoch: number, name: string): Promise<string[]> => {
    const before = (await reports()).length;
    const image = h('img', { id: 'p', src: `/c/i/${name}`, width: '9', height: '9' });
    await view().feed(
      1,
      new PageWriter(epoch)
        .doc(0)
        .insert(DOCUMENT_ID, 0, html([image]))
        .batch(),
    );
    await eventually(async () =>
      (await view().main()).evaluate(() => (document.getElementById('p') as HTMLImageElement | null)?.complete),
    ).toBe(true);
    await view().frames();
    return (await reports()).slice(before);
  };
  expect(await shows(1, 'fine')).toEqual([]);
  expect(await shows(2, 'lacking')).toEqual([]);
  expect(await shows(3, 'broken')).toEqual(['tc-imgreq-undecodable']);
  expect(await shows(4, 'failed')).toEqual(['tc-imgreq-failed']);
  expect(await shows(5, 'cut')).toEqual(['tc-imgreq-failed']);
});

/** A frameset with two frames, 5 and 6, bound to numbers. */
async function showFrameset(): Promise<PageWriter> {
  await stopClock();
  const outer = new PageWriter(1);
  const frames = h('frameset', { cols: '50%,50%' }, [h('frame', { id: 'a' }), h('frame', { id: 'b' })]);
  outer.doc().insert(DOCUMENT_ID, 0, h('html', {}, [h('head', {}), frames]));
  outer.op(OP.frame, outer.id('a'), 5).op(OP.frame, outer.id('b'), 6);
  await view().feed(1, outer.batch());
  await eventually(framesetState).toBe('pending');
  return outer;
}
const framesetState = (): Promise<string | null> =>
  view().page.getAttribute('iframe[data-vitrine-frame="main"]', 'data-vitrine-frameset');

it('[S-074] reports a frameset as pending until each of its frames shows something, polled every 100 ms', async () => {
  await showFrameset();
  await view().feed(5, page(50, 'left').batch());
  await pass(1000);
  expect(await framesetState()).toBe('pending');
  await view().feed(6, page(60, 'right').batch());
  expect(await framesetState()).toBe('pending');
  await pass(100);
  expect(await framesetState()).toBe('ready');
  expect(await reports()).toEqual([]);
  const shown = view().page.frames().slice(2);
  expect(await Promise.all(shown.map((frame) => frame.evaluate(() => document.body.innerText)))).toEqual([
    'left',
    'right',
  ]);
});

it('[S-074] [S-155] reports a frameset as failed when a frame shows nothing in 100 polls', async () => {
  await showFrameset();
  await view().feed(5, page(50, 'left').batch());
  await pass(100 * 100 - 1);
  expect([await framesetState(), await reports()]).toEqual(['pending', []]);
  await pass(1);
  expect([await framesetState(), await reports()]).toEqual(['error', ['tc-dom-frameset-error']]);
});
