import { Shaper } from '../faults/shaper.ts';
import { answerDialogs } from './support/answer-dialogs.ts';
import { DIALOGS_PAGE } from './support/dialogs-page.ts';
import { expect, shown, test as base, view } from './support/vitrine.ts';

const REFUSAL = 'HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n';

/** The person's network refuses websockets: all of a session goes over pulls and pushes. */
const test = base.extend<{ readonly polls: undefined }, { readonly behind: string }>({
  behind: [
    async ({ vitrine }, use) => {
      const shaper = await Shaper.start(Number(new URL(vitrine).port));
      shaper.fateOf = (line) => (/ \/r\/(websocket|wsecho)\?/.test(line) ? { answer: REFUSAL } : undefined);
      await use(shaper.origin);
      await shaper.close();
    },
    { scope: 'worker' },
  ],
  open: async ({ page, site, behind }, use) => {
    await use(async (path) => {
      await page.goto(`${behind}/${site.origin}${path}`);
      await shown(page);
      return view(page);
    });
  },
  /** Each test has been served by pulls and pushes alone. */
  polls: [
    async ({ page }, use) => {
      const requests: string[] = [];
      let frames = 0;
      page.on('request', (request) => requests.push(new URL(request.url()).pathname));
      page.on('websocket', (socket) => socket.on('framereceived', () => (frames += 1)));
      await use(undefined);
      expect(frames).toBe(0);
      expect(requests).toEqual(expect.arrayContaining(['/r/p', '/r/push']));
    },
    { auto: true },
  ],
});

test('[M-003] over the long poll a person types, erases and clicks', async ({ page, site, open }) => {
  site.on(
    '/form',
    `<!doctype html><textarea></textarea><button>count</button><output></output><p>0</p><script>
      addEventListener('input', ({ target }) => { document.querySelector('output').textContent = target.value; });
      onclick = ({ isTrusted, target }) => { if (isTrusted && target.localName === 'button') document.querySelector('p').textContent++; };
    </script>`,
  );
  const frame = await open('/form');
  await frame.locator('textarea').click();
  await page.keyboard.type('the quick brown foxx');
  await page.keyboard.press('Backspace');
  await expect(frame.locator('output')).toHaveText('the quick brown fox');
  await expect(frame.locator('textarea')).toHaveValue('the quick brown fox');
  for (let press = 0; press < 3; press += 1) await frame.locator('button').click();
  await expect(frame.locator('p')).toHaveText('3');
});

test('[M-003] over the long poll links, history and a reload work', async ({ page, site, open, behind }) => {
  site.on('/a', '<!doctype html><title>First</title><h1>First page</h1><a href="/b">Next</a>');
  let loads = 0;
  site.on('/b', (_request, response) => {
    loads += 1;
    const html = `<!doctype html><title>Second</title><h1>Second page</h1><p contenteditable></p><i>${loads}</i>`;
    response.writeHead(200, { 'content-type': 'text/html', 'cache-control': 'no-store' }).end(html);
  });
  const frame = await open('/a');
  await frame.locator('a').click();
  await expect(frame.locator('h1')).toHaveText('Second page');
  await expect(page).toHaveURL(`${behind}/${site.origin}/b`);
  await page.goBack();
  await expect(frame.locator('h1')).toHaveText('First page');
  await page.goForward();
  await expect(frame.locator('h1')).toHaveText('Second page');
  const before = loads;
  await page.reload();
  await shown(page);
  await expect(frame.locator('i')).toHaveText(String(before + 1)); // the one before is still shown for a moment
  await frame.locator('p').click();
  await page.keyboard.type('after the reload');
  await expect(frame.locator('p')).toHaveText('after the reload');
});

test('[M-003] over the long poll the page gets the scroll offset', async ({ page, site, open }) => {
  site.on(
    '/scroll',
    `<!doctype html><output style="position:fixed;right:0;top:0"></output><p style="height:3000px">long</p><script>
      onscroll = () => { document.querySelector('output').textContent = Math.round(scrollY); };</script>`,
  );
  const frame = await open('/scroll');
  await frame.locator('p').hover({ position: { x: 600, y: 400 } });
  await page.mouse.wheel(0, 400);
  await expect.poll(() => frame.locator('html').evaluate((node) => node.scrollTop)).toBe(400);
  await expect(frame.locator('output')).toHaveText('400');
});

test('[M-003] over the long poll the page gets the answers of its dialogs', async ({ page, site, open }) => {
  site.on('/dialogs', DIALOGS_PAGE);
  const frame = await open('/dialogs');
  await answerDialogs(page, frame);
});
