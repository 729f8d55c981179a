import { answerDialogs } from './support/answer-dialogs.ts';
import { DIALOGS_PAGE } from './support/dialogs-page.ts';
import { answerable, expect, shown, test, view } from './support/vitrine.ts';

test('shows alert, confirm and prompt and gives the answers to the page', async ({ page, site, open }) => {
  site.on('/dialogs', DIALOGS_PAGE);
  const frame = await open('/dialogs');
  const chunks = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
  expect(chunks.filter((name) => name.includes('dialogs'))).toEqual([]);

  await answerDialogs(page, frame);
  await expect(page.locator('#vitrine-page-frame')).toBeHidden();
  const loaded = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
  expect(loaded.some((name) => name.includes('dialogs'))).toBe(true);
});

test('[S-017] where the shell is not displayed, the browser asks; where the page is not, the shell does', async ({
  page,
  site,
  open,
}) => {
  let go = (): void => undefined;
  site.on('/go', (_request, response) => {
    go = () => void response.end('go');
  });
  site.on(
    '/waits',
    `<!doctype html><h1>waits</h1><output></output><script>fetch('/go').then(() => {
      alert('Read this'); const ok = confirm('Sure?');
      document.querySelector('output').textContent = JSON.stringify([ok, prompt('Name?', 'Ada')]); });</script>`,
  );
  site.on(
    '/hides',
    `<!doctype html><button onclick="document.body.style.display = 'none'; document.title = confirm('Hidden?')">hide</button>`,
  );
  const seen: string[] = [];
  page.on('dialog', (dialog) => {
    seen.push(`${dialog.type()}: ${dialog.message()}`);
    void dialog.accept(dialog.type() === 'prompt' ? 'Grace' : undefined);
  });
  let frame = await open('/waits');
  await page.evaluate(() => void (document.body.style.display = 'none'));
  await expect.poll(() => site.requests).toContain('GET /go'); // before that there is nothing to answer
  go();
  const from = `127.0.0.1:${site.port}`;
  const asked = [`alert: ${from} says\n\nRead this`, `confirm: ${from} asks\n\nSure?`, `prompt: ${from} asks\n\nName?`];
  await expect.poll(() => seen).toEqual(asked);
  await page.evaluate(() => document.body.style.removeProperty('display'));
  await expect(frame.locator('output')).toHaveText('[true,"Grace"]');

  frame = await open('/hides');
  await frame.locator('button').click();
  const dialog = page.frameLocator('#vitrine-page-frame').getByRole('alertdialog');
  await expect(dialog).toContainText('Hidden?');
  await answerable(page);
  await dialog.getByRole('button', { name: 'OK' }).click();
  await expect(page).toHaveTitle('true');
  expect(seen).toEqual(asked);
});

test('[L1] a person who clicks where a button is about to appear does not answer with that click', async ({
  page,
  site,
  open,
}) => {
  site.on(
    '/twice',
    `<!doctype html><style>button { position: fixed; inset: 0; width: 100% }</style><button>twice</button><output>-</output><script>
      let clicks = 0; document.querySelector('button').onclick = () => {
        clicks += 1; if (clicks % 3 === 2) document.querySelector('output').textContent = String(confirm('Pay?')); }</script>`,
  );
  const frame = await open('/twice');
  const dialog = page.frameLocator('#vitrine-page-frame').getByRole('alertdialog');
  const openDialog = async (): Promise<void> => {
    await frame.locator('button').click();
    await frame.locator('button').click();
    await expect(dialog).toContainText('Pay?');
  };
  await openDialog();
  const box = (await dialog.getByRole('button', { name: 'OK' }).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await answerable(page);
  await page.keyboard.press('Escape');
  await expect(frame.locator('output')).toHaveText('false');

  // When the dialog was there for the first time, before it was painted, and when it was answered.
  const stood = page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let since: number | undefined;
        const element = document.querySelector<HTMLIFrameElement>('#vitrine-page-frame');
        const look = (): void => {
          const isThere = element?.contentDocument?.querySelector('.vitrine-dialog button');
          if (isThere) since ??= performance.now();
          if (since !== undefined && !isThere) resolve(performance.now() - since);
        };
        const changes = new MutationObserver(look);
        if (element?.contentDocument) changes.observe(element.contentDocument, { childList: true, subtree: true });
      }),
  );
  let isAnswered = false;
  void stood.then(() => (isAnswered = true));
  while (!isAnswered) await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  expect(await stood).toBeGreaterThan(450); // clocks of pages are not exact
});

test('closes a dialog when its page is closed, and asks before unsaved work is left', async ({
  page,
  site,
  open,
  vitrine,
}) => {
  site.on(
    '/unsaved',
    `<!doctype html><input><script>onbeforeunload = (event) => event.preventDefault()</script><a href="/next">next</a>`,
  );
  site.on('/next', '<!doctype html><h1>Next</h1>');
  const frame = await open('/unsaved');
  await frame.locator('input').click();
  await page.keyboard.type('work');
  await frame.locator('a').click();
  const dialog = page.frameLocator('#vitrine-page-frame').getByRole('alertdialog');
  await expect(dialog).toContainText('Leave this page?');
  await dialog.getByRole('button', { name: 'Stay' }).click();
  await expect(frame.locator('input')).toHaveValue('work');
  await expect(page).toHaveURL(`${vitrine}/${site.origin}/unsaved`);
  await frame.locator('a').click();
  await dialog.getByRole('button', { name: 'Leave' }).click();
  await expect(frame.locator('h1')).toHaveText('Next');
});

for (const { asks, next } of [
  { asks: "location = '/next'; alert('Thank you')", next: 'GET /next' },
  { asks: "document.forms[0].submit(); setTimeout(() => alert('Thank you'), 50)", next: 'POST /next' },
])
  test(`accepts the answer to a dialog when the next document has already arrived (${next})`, async ({
    page,
    context,
    site,
    vitrine,
    open,
  }) => {
    site.on(
      '/asks',
      `<!doctype html><form action="/next" method="post"></form><button onclick="${asks}">Send</button>`,
    );
    const { promise: isTime, resolve: send } = Promise.withResolvers<void>();
    const { promise: sent, resolve: taken } = Promise.withResolvers<void>();
    site.on('/next', (_request, response) => {
      const answer = (): void =>
        void response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><h1>Next</h1>', taken);
      void isTime.then(answer);
    });
    site.on('/later', '<!doctype html><title>Later</title><h1>Later</h1>');
    const frame = await open('/asks');
    await frame.locator('button').click();
    const dialog = page.frameLocator('#vitrine-page-frame').getByRole('alertdialog');
    await expect(dialog).toContainText('Thank you');
    send();
    await sent;
    // Something later from the same browser has been shown: so the next document is there.
    const other = await context.newPage();
    await other.goto(`${vitrine}/${site.origin}/later`);
    await shown(other);
    await expect(view(other).locator('h1')).toHaveText('Later');
    await other.close();
    await page.bringToFront();
    await expect(dialog).toBeVisible();
    await answerable(page);
    await page.keyboard.press('Enter');
    await expect(frame.locator('h1')).toHaveText('Next');
    expect(site.requests.filter((request) => request.includes('/next'))).toEqual([next]);
    await expect(page).toHaveURL(`${vitrine}/${site.origin}/next`);
    await page.goBack();
    await expect(frame.locator('button')).toHaveText('Send');
  });

test('a dialog that does not fit shows that there is more below', async ({ page, site, open }) => {
  await page.setViewportSize({ width: 640, height: 400 }); // 200 % zoom
  site.on(
    '/long',
    `<!doctype html><script>setTimeout(() => { alert('Short'); alert('words '.repeat(500)); })</script>`,
  );
  await open('/long');
  const dialog = page.frameLocator('#vitrine-page-frame').getByRole('alertdialog');
  const edge = (): Promise<string> =>
    dialog.locator('.vitrine-answers').evaluate((answers) => getComputedStyle(answers).borderBlockStartStyle);
  const shade = (): Promise<string> =>
    dialog.locator('.vitrine-body').evaluate((body) => getComputedStyle(body).backgroundImage);
  await expect(dialog).toContainText('Short');
  expect([await edge(), await shade()]).toEqual(['none', 'none']);
  await answerable(page);
  await dialog.getByRole('button', { name: 'OK' }).click();
  await expect(dialog).toContainText('words words');
  await expect.poll(edge).toBe('solid');
  expect(await shade()).toContain('linear-gradient');
});
