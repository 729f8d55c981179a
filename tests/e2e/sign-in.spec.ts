import type { Locator, Page } from 'playwright/test';
import { provideIdentity } from './support/identity-provider.ts';
import { expect, shown, test, view } from './support/vitrine.ts';

/** The application and the provider are two sites on one server. */
test.use({ hostOptions: ['--allow-network', 'localhost'] });

/** A page, or a frame. */
interface Root {
  locator(selector: string): Locator;
}

/** Size of the window that the application asks for. */
const SIZE = [480, 360];

/** Signs in by a window. */
async function signIn(page: Page, root: Root, within: (tab: Page) => Promise<Root>): Promise<void> {
  const [tab] = await Promise.all([page.context().waitForEvent('page'), root.locator('#sign-in').click()]);
  const window = await within(tab);
  await expect(window.locator('h1')).toHaveText('login');
  await expect(root.locator('#window')).toHaveText('open');
  await expect.poll(() => tab.evaluate(() => [innerWidth, innerHeight])).toEqual(SIZE);
  await window.locator('#go').click();
  await expect(window.locator('h1')).toHaveText('consent');
  await Promise.all([tab.waitForEvent('close'), window.locator('#go').click()]);
  await expect(root.locator('#who')).toHaveText('anna');
  await expect(root.locator('#window')).toHaveText('closed');
}

test('[M-083] [M-082] [M-024] a person signs in by a window of an OpenID provider, as in a browser of their own', async ({
  page,
  browser,
  site,
  vitrine,
}) => {
  const application = `http://localhost:${site.port}`;
  provideIdentity(site, application);
  const log = (): string[] =>
    site.requests.splice(0).map((line) => line.replace(/\?.*/, '').replace(/(auth)\/.+/, '$1/...'));

  const own = await browser.newContext();
  const direct = await own.newPage();
  await direct.goto(`${application}/app`);
  await signIn(direct, direct, async (tab) => tab);
  const expected = log();
  await own.close();
  expect(expected).toContain('POST /token');

  await page.goto(`${vitrine}/${application}/app`);
  await shown(page);
  await signIn(page, view(page), async (tab) => {
    await shown(tab);
    return view(tab);
  });
  expect(log()).toEqual(expected);
});
