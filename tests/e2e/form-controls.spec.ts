import type { Locator, Page } from 'playwright/test';
import { expect, test } from './support/vitrine.ts';

const bubble = (page: Page): Locator => page.locator('#vitrine-overlay .vitrine-bubble');

const FORM = `<!doctype html><style>body{margin:0;height:3000px}form{position:absolute;top:200px;left:60px}</style>
<form action="/sent"><input id=name name=name required><button id=send>Send</button></form>
<button id=check type=button>Check</button><output id=out></output><script>
check.onclick = () => { name.focus?.(); document.querySelector('#name').focus(); out.textContent = document.forms[0].checkValidity(); };
</script>`;

test('[M-064] a form that the browser refuses says so at its field, which it follows, until the person types', async ({
  page,
  site,
  open,
}) => {
  site.on('/form', FORM);
  site.on('/sent', '<!doctype html><h1>Sent</h1>');
  const frame = await open('/form');
  await frame.locator('#send').click();
  await expect(bubble(page)).toHaveText('Fill in this field.');
  await expect(frame.locator('#name')).toBeFocused();
  const distance = async (): Promise<number> => {
    const [field, box] = [await frame.locator('#name').boundingBox(), await bubble(page).boundingBox()];
    return Math.round((box?.y ?? 0) - (field?.y ?? 0) - (field?.height ?? 0));
  };
  await expect.poll(distance).toBe(8);
  await page.mouse.wheel(0, 120);
  await expect.poll(async () => (await frame.locator('#name').boundingBox())?.y).toBeLessThan(150);
  await expect.poll(distance).toBe(8);
  await page.keyboard.type('Anna');
  await expect(bubble(page)).toHaveCount(0);
  await frame.locator('#send').click();
  await expect(frame.locator('h1')).toHaveText('Sent');
});

test('[M-064] a check by the page shows nothing, and a form that is refused after it does', async ({
  page,
  site,
  open,
}) => {
  site.on('/form', FORM);
  const frame = await open('/form');
  await page.evaluate(() => {
    const seen: string[] = [];
    Object.assign(window, { seen });
    new MutationObserver(() =>
      seen.push(...[...document.querySelectorAll('.vitrine-bubble')].map((b) => b.textContent)),
    ).observe(document.body, { subtree: true, childList: true });
  });
  await frame.locator('#check').click();
  await expect(frame.locator('#out')).toHaveText('false');
  await frame.locator('#name').click();
  await page.keyboard.type(' ');
  await page.keyboard.press('Backspace');
  expect(await page.evaluate('seen')).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(bubble(page)).toHaveText('Fill in this field.');
});

test('[M-064] a report that the page asks for within a check of its own is shown', async ({ page, site, open }) => {
  site.on(
    '/form',
    `<!doctype html><input id=a required><button id=go>Go</button><script>
    let isAsked = false;
    a.oninvalid = () => { if (!isAsked) { isAsked = true; a.reportValidity(); } };
    go.onclick = () => { isAsked = false; a.checkValidity(); };
    </script>`,
  );
  const frame = await open('/form');
  await frame.locator('#go').click();
  await expect(bubble(page)).toHaveText('Fill in this field.');
  await page.keyboard.type('x');
  await expect(bubble(page)).toHaveCount(0);
});

test("[M-064] the page's own message is shown as it is, in a frame too, and goes with its document", async ({
  page,
  site,
  open,
}) => {
  site.on('/top', '<!doctype html><iframe src="/inner" style="position:absolute;top:100px;left:40px"></iframe>');
  site.on(
    '/inner',
    `<!doctype html><form><input id=a><button>Go</button></form><script>
    a.setCustomValidity('<b>Not</b> free');
    a.onkeydown = () => location = '/other';
    </script>`,
  );
  site.on('/other', '<!doctype html><p>Other');
  const frame = (await open('/top')).frameLocator('iframe');
  await frame.locator('button').click();
  await expect(bubble(page)).toHaveText('<b>Not</b> free');
  await page.keyboard.press('ArrowLeft');
  await expect(frame.locator('p')).toHaveText('Other');
  await expect(bubble(page)).toHaveCount(0);
});

test.describe('in another language', () => {
  test.use({ locale: 'de-DE' });
  test('[M-064] the reason is in the language of the person', async ({ page, site, open }) => {
    site.on('/form', '<!doctype html><form><input type=email value=anna><button>Go</button></form>');
    const frame = await open('/form');
    await frame.locator('button').click();
    await expect(bubble(page)).toContainText('Geben Sie eine E-Mail-Adresse ein');
  });
});
