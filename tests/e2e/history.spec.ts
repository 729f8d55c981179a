import { WalkingTab } from './support/history-walk.ts';
import type { SeenTab } from './support/history-walk.ts';
import { expect, shown, test as base, view } from './support/vitrine.ts';

/** One step of a walk, and what the page says of itself once it is done. */
type Step = readonly [does: string, step: (tab: WalkingTab) => Promise<unknown>, text: string];

const test = base.extend<{
  /** Does the same directly and through the product: at each step the person sees the same address, titles, entries and content. */
  readonly walk: (path: string, steps: readonly Step[]) => Promise<WalkingTab>;
}>({
  walk: async ({ page, context, site, vitrine }, use) => {
    await use(async (path, steps) => {
      const direct = await context.newPage();
      await direct.goto(site.origin + path);
      const there = new WalkingTab(direct, direct, '');
      await there.begin();
      const seen: SeenTab[] = [];
      for (const [does, step, text] of steps) {
        await step(there);
        await expect.poll(() => there.shows(text), `${does}, directly`).toBe(true);
        seen.push(await there.seen());
      }
      await direct.close();

      await page.goto(`${vitrine}/${site.origin}${path}`);
      await shown(page);
      const here = new WalkingTab(page, view(page), `${vitrine}/`);
      await here.begin();
      for (const [nth, [does, step]] of steps.entries()) {
        await step(here);
        await expect.poll(() => here.seen(), does).toEqual(seen[nth]);
      }
      return here;
    });
  },
});

const click =
  (selector: string): Step[1] =>
  (tab) =>
    tab.click(selector);
const go =
  (distance: number): Step[1] =>
  (tab) =>
    tab.go(distance);

/** A page with a name of its own, which says `text` of itself, an expression, and how long its history is. */
const named = (name: string, body: string, text = 'location.pathname + location.hash'): string =>
  `<!doctype html><title>${name}</title><p id="at"></p>${body}<script>
  function show(what = ${text}) { document.querySelector('#at').textContent = what + ' ' + history.length; }
  for (const event of ['pageshow', 'hashchange', 'popstate']) addEventListener(event, () => show());
  </script>`;

test.beforeEach(({ site }) => {
  for (const [nth, name] of ['a', 'b', 'c', 'd'].entries())
    site.on(
      `/${name}`,
      named(
        name,
        `<a id="next" href="/${'bcda'.charAt(nth)}">next</a> <a id="part" href="#part">part</a>
        <button id="back3" onclick="history.go(-3)">back</button><button id="back" onclick="history.back()">back</button>
        <button id="swap" onclick="location.replace('/d')">swap</button>`,
      ),
    );
});

test('[M-088] goes through links and parts of pages, several entries at once, as it does directly', async ({
  walk,
}) => {
  await walk('/a', [
    ['a link', click('#next'), '/b 3'],
    ['a part', click('#part'), '/b#part 4'],
    ['a link', click('#next'), '/c 5'],
    ['back by three', go(-3), '/a 5'],
    ['forward by two', go(2), '/b#part 5'],
    ['forward', go(1), '/c 5'],
    ['back of the page by three', click('#back3'), '/a 5'],
    ['forward', go(1), '/b 5'],
    ['another way from the middle', click('#next'), '/c 4'],
    ['a replaced page', click('#swap'), '/d 4'],
    ['back', go(-1), '/b 4'],
    ['forward', go(1), '/d 4'],
    ['back of the page', click('#back'), '/b 4'],
  ]);
});

test('[M-088] goes through the entries of an app, with their titles, as it does directly', async ({ site, walk }) => {
  site.on(
    '/app',
    named(
      'App',
      `<button id="push" onclick="next('pushState')">push</button><button id="replace" onclick="next('replaceState')">replace</button>
      <button id="away" onclick="leaving = true; history.back()">close and go on</button><button id="back" onclick="history.back()">back</button>
      <script>
        let last = 0, leaving = false;
        const seen = () => { document.title = 'App ' + (history.state ?? 0); show(); };
        const next = (how) => { last++; history[how](last, '', '/app/' + last); seen(); };
        addEventListener('popstate', () => { seen(); if (leaving) { leaving = false; next('pushState'); } });
      </script>`,
      "location.pathname + ' ' + (history.state ?? 0)",
    ),
  );
  await walk('/app', [
    ['an entry', click('#push'), '/app/1 1 3'],
    ['an entry', click('#push'), '/app/2 2 4'],
    ['a replaced entry', click('#replace'), '/app/3 3 4'],
    ['an entry', click('#push'), '/app/4 4 5'],
    ['back by three', go(-3), '/app 0 5'],
    ['forward by two', go(2), '/app/3 3 5'],
    ['forward', go(1), '/app/4 4 5'],
    ['back of the page', click('#back'), '/app/3 3 5'],
    ['forward', go(1), '/app/4 4 5'],
    ['an entry in the place of one that is left', click('#away'), '/app/5 5 5'],
    ['back by two', go(-2), '/app/1 1 5'],
    ['another way from the middle', click('#push'), '/app/6 6 4'],
  ]);
});

test('goes back through pages of embedded frames, one after the other, as it does directly', async ({ site, walk }) => {
  for (const name of ['one', 'two', 'three'])
    site.on(
      `/${name}`,
      `<!doctype html><title>${name}</title><script>addEventListener('pageshow', () => parent.show())</script>`,
    );
  site.on(
    '/frames',
    named(
      'Frames',
      `<a id="two" href="/two" target="left">two</a> <a id="three" href="/three" target="right">three</a> <a id="next" href="/a">away</a>
      <iframe name="left" src="/one"></iframe><iframe name="right" src="/one"></iframe>`,
      "[...document.querySelectorAll('iframe')].map((frame) => frame.contentDocument.title)",
    ),
  );
  await walk('/frames', [
    ['a page in the first frame', click('#two'), 'two,one 3'],
    ['a page in the second frame', click('#three'), 'two,three 4'],
    ['back', go(-1), 'two,one 4'],
    ['forward', go(1), 'two,three 4'],
    ['back by two', go(-2), 'one,one 4'],
    ['forward by two', go(2), 'two,three 4'],
    ['a link', click('#next'), '/a 5'],
  ]);
});

test('shows posted forms again when the person goes back to them, as it does directly', async ({ site, walk }) => {
  site.on(
    '/form',
    named('Form', '<form method="post" action="/posted"><input name="x" value="1"><button>post</button></form>'),
  );
  site.on('/posted', (request, response) => {
    response
      .writeHead(200, { 'content-type': 'text/html', 'cache-control': 'max-age=60' })
      .end(named('Posted', '<a id="next" href="/b">next</a>', `'${request.method}'`));
  });
  await walk('/form', [
    ['a posted form', click('button'), 'POST 3'],
    ['a link', click('#next'), '/b 4'],
    ['back', go(-1), 'POST 4'],
    ['back', go(-1), '/form 4'],
    ['forward', go(1), 'POST 4'],
  ]);
});

test('goes on through the history after a reload, and after an address that is typed', async ({
  site,
  vitrine,
  walk,
}) => {
  const here = await walk('/a', [
    ['a link', click('#next'), '/b 3'],
    ['a link', click('#next'), '/c 4'],
    ['back', go(-1), '/b 4'],
    ['a reload by the person', async (tab) => tab.page.reload(), '/b 4'],
    ['forward', go(1), '/c 4'],
    ['back by two', go(-2), '/a 4'],
    ['a reload by the person', async (tab) => tab.page.reload(), '/a 4'],
    ['forward by two', go(2), '/c 4'],
  ]);
  // Another document of the shell.
  await here.page.goto(`${vitrine}/${site.origin}/d`);
  await expect.poll(async () => (await here.seen()).text).toMatch(/^\/d/);
  await here.go(-2);
  await expect.poll(async () => (await here.seen()).text).toMatch(/^\/b/);
  await here.go(-1);
  await expect.poll(async () => (await here.seen()).text).toMatch(/^\/a/);
  await here.go(3);
  await expect.poll(async () => (await here.seen()).text).toMatch(/^\/d/);
  const { entries, at } = await here.seen();
  expect([entries.map(({ address }) => new URL(address).pathname), at]).toEqual([['/a', '/b', '/c', '/d'], 3]);
});

test('goes to an entry of the history before the reloaded shell has heard where the page is', async ({ walk }) => {
  const here = await walk('/a', [
    ['a link', click('#next'), '/b 3'],
    ['a link', click('#next'), '/c 4'],
    ['a link', click('#next'), '/d 5'],
  ]);
  for (const [distance, at] of [
    [-1, 2],
    [-2, 0],
    [3, 3],
  ] as const) {
    await here.page.reload({ waitUntil: 'commit' });
    await here.go(distance);
    await expect.poll(async () => (await here.seen()).text).toBe(`/${'abcd'.charAt(at)} 5`);
    const seen = await here.seen();
    expect(seen.entries.map(({ address }) => new URL(address).pathname)).toEqual(['/a', '/b', '/c', '/d']);
    expect(seen.at).toBe(at);
  }
});

test('goes through pages that cannot be shown, and their retry, as it does directly', async ({ site, walk }) => {
  let isThere = false;
  site.on('/broken', (request, response) => {
    if (isThere)
      response.writeHead(200, { 'content-type': 'text/html' }).end(named('There', '<a id="next" href="/c">next</a>'));
    else request.socket.destroy();
  });
  site.on('/gate', named('Gate', '<a id="broken" href="/broken">broken</a>'));
  const retry: Step[1] = async ({ page, frame }) => {
    isThere = true;
    await ('goto' in frame ? page.reload() : page.getByRole('button', { name: 'Try again' }).click());
  };
  await walk('/gate', [
    [
      'a page that is not there',
      async (tab) => {
        isThere = false;
        await tab.click('#broken');
      },
      '',
    ],
    ['back', go(-1), '/gate 3'],
    ['forward', go(1), ''],
    ['a retry', retry, '/broken 3'],
    ['a link', click('#next'), '/c 4'],
    ['back by two', go(-2), '/gate 4'],
    ['forward', go(1), '/broken 4'],
  ]);
});

test('finds pages scrolled where they were left', async ({ site, walk }) => {
  site.on(
    '/long',
    `${named('Long', '<a id="next" href="/a" style="position: fixed; top: 40px">next</a><div style="height: 9000px"></div>', "'at ' + Math.round(scrollY / 100)")}
    <script>addEventListener('scroll', () => show()); addEventListener('pageshow', () => requestAnimationFrame(() => show()))</script>`,
  );
  const scroll: Step[1] = async (tab) => {
    await tab.frame.locator('#next').hover();
    await tab.page.mouse.wheel(0, 3000);
  };
  const here = await walk('/long', [
    ['a scrolled page', scroll, 'at 30 2'],
    ['a link', click('#next'), '/a 3'],
    ['back', go(-1), 'at 30 3'],
    ['a reload', async (tab) => tab.page.reload(), 'at 30 3'],
    ['forward', go(1), '/a 3'],
    ['back', go(-1), 'at 30 3'],
  ]);
  const html = view(here.page).locator('html');
  await expect.poll(() => html.evaluate(({ ownerDocument }) => ownerDocument.defaultView?.scrollY)).toBe(3000);
});

test('stays where the person does not want to leave, with its address', async ({ site, walk }) => {
  site.on(
    '/unsaved',
    named(
      'Unsaved',
      '<button id="type" onclick="show(\'typed\'); onbeforeunload = (event) => event.preventDefault()">type</button>',
    ),
  );
  site.on('/start', named('Start', '<a id="next" href="/unsaved">next</a>'));
  const stays: Step[1] = async (tab) => {
    if ('goto' in tab.frame) {
      const opened = tab.page.waitForEvent('dialog');
      const gone = tab.go(-1); // which waits for the answer
      await (await opened).dismiss();
      return gone;
    }
    await tab.go(-1);
    await tab.page
      .frameLocator('#vitrine-page-frame')
      .getByRole('button', { name: /stay|cancel/i })
      .click();
  };
  await walk('/start', [
    ['a link', click('#next'), '/unsaved 3'],
    ['an act', click('#type'), 'typed 3'],
    ['back, and no', stays, 'typed 3'],
  ]);
});

test('stays where back leads to a file', async ({ site, walk }) => {
  let isFile = false;
  site.on('/turned', (_request, response) => {
    if (isFile) response.writeHead(204).end();
    else
      response
        .writeHead(200, { 'content-type': 'text/html', 'cache-control': 'no-store' })
        .end(named('Page', '<a id="next" href="/a">next</a>'));
  });
  site.on('/start', named('Start', '<a id="next" href="/turned">next</a>'));
  await walk('/start', [
    [
      'a link',
      async (tab) => {
        isFile = false;
        await tab.click('#next');
      },
      '/turned 3',
    ],
    ['a link', click('#next'), '/a 4'],
    [
      'back to what is no page any more',
      async (tab) => {
        isFile = true;
        await tab.go(-1);
      },
      '/a 4',
    ],
  ]);
});

test('[M-025] keeps name, address and policy of each entry, also when the page loads itself again', async ({
  page,
  site,
  open,
}) => {
  site.on(
    '/self',
    named(
      'Self',
      '<button onclick="location.reload()">again</button>',
      'performance.getEntriesByType("navigation")[0].type',
    ),
  );
  const frame = await open('/self');
  await expect(frame.locator('#at')).toContainText('navigate');
  const state = (): Promise<unknown> => page.evaluate(() => history.state);
  const kept = {
    hid: expect.any(Number),
    url: `${site.origin}/self`,
    persistent_policy: expect.objectContaining({ entry_action: 'read_write' }),
  };
  await expect.poll(state).toEqual(kept);
  const before = await state();
  await page.evaluate(() => history.replaceState({ ...history.state, url: '' }, ''));
  await frame.getByRole('button').click();
  await expect(frame.locator('#at')).toContainText('reload');
  await expect.poll(state).toEqual(before);
});

test('goes back past entries that a page has added before anybody has acted in it', async ({
  page,
  site,
  vitrine,
  open,
}) => {
  site.on(
    '/trap',
    named(
      'Trap',
      `<p id="acted"></p><script>onload = () => setTimeout(() => { history.pushState(1, '', '#held'); show(); });
      onclick = () => { document.getElementById('acted').textContent = 'acted'; };</script>`,
    ),
  );
  site.on('/start', named('Start', '<a id="next" href="/trap">next</a>'));
  const frame = await open('/start');
  const tab = new WalkingTab(page, frame, `${vitrine}/`);
  await tab.begin();
  await tab.click('#next');
  const seen = async () => (({ at, text, address }) => [at, text, new URL(address).pathname])(await tab.seen());
  await expect.poll(seen).toEqual([2, '/trap#held 4', '/trap']);
  await tab.go(-1);
  await expect.poll(seen).toEqual([0, '/start 4', '/start']);
  await tab.go(1); // past it again, and it adds another
  await expect.poll(seen).toEqual([3, '/trap#held 5', '/trap']);
  await tab.click('#at');
  await expect(frame.locator('#acted')).toHaveText('acted');
  await tab.go(-1);
  await expect.poll(seen).toEqual([2, '/trap#held 5', '/trap']);
});
