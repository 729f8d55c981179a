import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Locator, Page } from 'playwright/test';
import { expect, shown, test, view } from './support/vitrine.ts';

let policyFile = '';
const allow = (geolocation: boolean): void =>
  writeFileSync(policyFile, JSON.stringify({ tenants: { default: { policy: { permissions: { geolocation } } } } }));

test.use({
  hostOptions: async ({ folder }, use) => {
    policyFile = path.join(folder, 'vitrine.policy.yaml');
    allow(false);
    await use(['--policy', policyFile, '--data', path.join(folder, 'data')]);
  },
  samePerson: false, // what one test permits is kept
  permissions: ['geolocation'],
  geolocation: { latitude: 48.5, longitude: 9.25, accuracy: 20 },
});
test.describe.configure({ mode: 'serial' });

const PAGE = `<!doctype html><title>Where</title><button id=once>once</button><button id=watch>watch</button><output id=out></output><output id=state></output>
<script>
const told = ({ coords }) => { out.textContent += coords.latitude + ' ' + coords.longitude + ';'; };
const failed = ({ code }) => { out.textContent += 'error ' + code + ';'; };
navigator.permissions.query({ name: 'geolocation' }).then((status) => {
  const tell = () => { state.textContent = status.state; };
  status.onchange = tell;
  tell();
});
once.onclick = () => navigator.geolocation.getCurrentPosition(told, failed);
watch.onclick = () => { window.id = navigator.geolocation.watchPosition(told, failed); };
new PerformanceObserver(() => { document.body.dataset.painted = ''; }).observe({ type: 'paint', buffered: true });
</script>`;
const dialog = (page: Page): Locator => page.frameLocator('#vitrine-page-frame').getByRole('dialog');

test('[R-068] grants nothing without support, and reports that', async ({ page, site, open }) => {
  site.on(
    '/asks',
    `<!doctype html><button id=ask>ask</button><output id=out></output><script>
    const NAMES = ['geolocation', 'notifications', 'camera', 'microphone', 'clipboard-read', 'midi', 'persistent-storage'];
    const tried = (promise) => promise.then(() => 'given', ({ name }) => name);
    ask.onclick = async () => {
      const states = await Promise.all(NAMES.map(async (name) => (await navigator.permissions.query({ name })).state));
      const found = [
        await new Promise((resolve) => navigator.geolocation.getCurrentPosition(() => resolve('given'), ({ code }) => resolve(code))),
        await Notification.requestPermission(),
        await tried(navigator.mediaDevices.getUserMedia({ audio: true })),
        await tried(navigator.clipboard.readText()),
        await navigator.storage.persist(),
      ];
      out.textContent = [...new Set(states), ...found].join(' ');
    };
    </script>`,
  );
  const frame = await open('/asks');
  await frame.locator('#ask').click();
  await expect(frame.locator('#out')).toHaveText(/^denied 1 denied \w+Error NotAllowedError false$/);
  await expect(page.locator('#vitrine-page-frame')).toHaveCount(0);
});

test('[R-090] [S-135] [R-108] sends the person’s position to a page once the person has allowed it', async ({
  page,
  site,
  open,
  context,
}) => {
  site.on('/where', PAGE);
  allow(true);
  const frame = await open('/where');
  await expect(frame.locator('#state')).toHaveText('prompt');
  await frame.locator('#once').click();
  await expect(dialog(page)).toContainText('127.0.0.1');
  await dialog(page).getByRole('button', { name: 'Allow' }).click();
  await expect(frame.locator('#out')).toHaveText('48.5 9.25;');
  await expect(frame.locator('#state')).toHaveText('granted');

  // A permission that was granted is not prompted again, and changes are reported to listeners.
  await frame.locator('#watch').click();
  // A browser may report the same position to a watch again.
  await expect(frame.locator('#out')).toHaveText(/^(48.5 9.25;){2,}$/);
  await context.setGeolocation({ latitude: -10, longitude: 20, accuracy: 5 });
  await expect(frame.locator('#out')).toHaveText(/^(48.5 9.25;){2,}(-10 20;)+$/);
  await expect(page.locator('#vitrine-page-frame')).toBeHidden();

  allow(false);
  await expect(frame.locator('#state')).toHaveText('denied');
  await frame.locator('#once').click();
  await expect(frame.locator('#out')).toHaveText(/error 1;$/);
});

test('[R-090] a blocked page is refused, and does not prompt again', async ({ page, site, open }) => {
  site.on('/where', PAGE);
  allow(true);
  const frame = await open('/where');
  await expect(frame.locator('#state')).toHaveText('prompt');
  await frame.locator('#once').click();
  await dialog(page).getByRole('button', { name: 'Block' }).click();
  await expect(frame.locator('#out')).toHaveText('error 1;');
  await expect(frame.locator('#state')).toHaveText('denied');
  await frame.locator('#once').click();
  await expect(frame.locator('#out')).toHaveText('error 1;error 1;');
  await expect(page.locator('#vitrine-page-frame')).toBeHidden();
});

test('what people have answered is recorded for the administrator', async ({ page, site, open, folder, vitrine }) => {
  site.on('/where', PAGE);
  allow(true);
  const asked = async (): Promise<number> => {
    const metrics = await (await page.request.get(`${vitrine}/metrics`)).text();
    return Number(/^vitrine_plugin_permissions_requests_total (\d+)$/m.exec(metrics)?.[1]);
  };
  const args = ['host/cli/main.ts', 'permissions', 'decisions', '--data', path.join(folder, 'data')];
  const [before, began] = [await asked(), Date.now()];
  /** Rows since then, whose time may be said in whole seconds: those of the tests before may come late. */
  const listed = async (): Promise<string[][]> => {
    const { stdout } = await promisify(execFile)(process.execPath, args);
    const rows = stdout
      .trim()
      .split('\n')
      .map((row) => row.split('\t'));
    return rows.filter(([at = '', , , , how]) => how === 'granted' && Date.parse(at) > began - 1000);
  };
  const frame = await open('/where');
  await expect(frame.locator('#state')).toHaveText('prompt');
  await frame.locator('#once').click();
  await dialog(page).getByRole('button', { name: 'Allow' }).click();
  await expect(frame.locator('#out')).toHaveText('48.5 9.25;');
  await expect.poll(async () => (await listed()).length).toBe(1);
  const [[at, person, ...rest] = []] = await listed();
  expect(Date.parse(at ?? '')).toBeLessThanOrEqual(Date.now());
  expect(person).toBeTruthy();
  expect(rest).toEqual([site.origin, 'geolocation', 'granted']);
  await expect.poll(asked).toBeGreaterThan(before);
});

test('[R-090] a permission of one tab applies in another, which does not change it', async ({
  page,
  site,
  open,
  context,
  vitrine,
}) => {
  site.on(
    '/map',
    PAGE.replace('</script>', 'once.addEventListener("click", () => watch.click());</script>'), // immediately, as maps do
  );
  allow(true);
  const frame = await open('/map');
  await expect(frame.locator('#state')).toHaveText('prompt');
  await frame.locator('#once').click();
  await dialog(page).getByRole('button', { name: 'Allow' }).click();
  // A browser may report the same position to a watch again.
  await expect(frame.locator('#out')).toHaveText(/^(48.5 9.25;){2,}$/);

  const other = await context.newPage();
  await other.goto(`${vitrine}/${site.origin}/map`);
  await shown(other);
  await expect(view(other).locator('#state')).toHaveText('granted');
  await view(other).locator('#watch').click();
  await expect(view(other).locator('#out')).toHaveText(/^(48.5 9.25;)+$/);
  await other.close();
  await page.bringToFront();
  await context.setGeolocation({ latitude: -10, longitude: 20, accuracy: 5 });
  await expect(frame.locator('#out')).toHaveText(/^(48.5 9.25;){2,}(-10 20;)+$/);
  await expect(frame.locator('#state')).toHaveText('granted');
});

test('where the person’s own browser refuses, so is the page', async ({ page, site, open, context }) => {
  site.on('/where', PAGE);
  allow(true);
  await context.clearPermissions();
  const frame = await open('/where');
  await expect(frame.locator('#state')).toHaveText('prompt');
  await frame.locator('#once').click();
  await dialog(page).getByRole('button', { name: 'Allow' }).click();
  await expect(frame.locator('#out')).toHaveText('error 1;');
});

test('a refusal because a document is being closed does not affect other documents', async ({ page, site, open }) => {
  site.on('/where', PAGE);
  allow(true);
  await page.addInitScript(() => {
    const { watchPosition } = Geolocation.prototype;
    Geolocation.prototype.watchPosition = function (found, failed, options) {
      Object.assign(window, { close: () => failed?.({ code: 1 } as GeolocationPositionError) });
      return watchPosition.call(this, found, failed, options);
    };
  });
  const frame = await open('/where');
  await expect(frame.locator('#state')).toHaveText('prompt');
  await frame.locator('#watch').click();
  await dialog(page).getByRole('button', { name: 'Allow' }).click();
  await expect(frame.locator('#out')).toHaveText(/^(48.5 9.25;)+$/);
  await page.evaluate(() => close());
  await expect(frame.locator('#out')).toHaveText(/error 2;/);
  await expect(frame.locator('#state')).toHaveText('granted');
});

test('refuses a frame of another site the page’s permission', async ({ page, site, open }) => {
  const other = site.origin.replace('127.0.0.1', 'localhost');
  site.on('/where', PAGE);
  site.on('/outer', `${PAGE}<iframe id=inner allow=geolocation src="${other}/where"></iframe>`);
  allow(true);
  const frame = await open('/outer');
  await expect(frame.locator('#state')).toHaveText('prompt');
  await frame.locator('#once').click();
  await dialog(page).getByRole('button', { name: 'Allow' }).click();
  await expect(frame.locator('#out')).toHaveText(/^\S+ \S+;$/);
  const inner = frame.frameLocator('#inner');
  // Chromium finds no frame of another site under a click before it has painted it.
  await expect(inner.locator('body')).toHaveAttribute('data-painted');
  await inner.locator('#once').click();
  await expect(inner.locator('#out')).toHaveText('error 1;');
  await inner.locator('#watch').click();
  await expect(inner.locator('#out')).toHaveText('error 1;error 1;');
});
