import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { startHost } from '../fidelity/host.ts';
import { loaded } from './support/loaded.ts';
import { expect, shown, test, view } from './support/vitrine.ts';

test.use({
  hostOptions: async ({ folder }, use) => {
    const policy = path.join(folder, 'p.yaml');
    writeFileSync(
      policy,
      'tenants: { default: { policy: { client_capabilities: { debug_hud: true }, session: { tab_menu_button: true } } } }',
    );
    await use(['--policy', policy]);
  },
});

const PAGE = `<!doctype html><title>Busy</title><body style="height:3000px"><p id="count">0</p><p id="key">none</p>
<canvas width="500" height="500"></canvas><video controls></video><script>
  let count = 0;
  setInterval(() => { document.getElementById('count').textContent = String((count += 1)); }, 50);
  addEventListener('keydown', ({ key }) => { document.getElementById('key').textContent = key; });
</script>`;

test('[R-014] the HUD shows diagnostics of a session, and the page gets no events of it', async ({
  page,
  site,
  open,
}) => {
  site.on('/busy', PAGE);
  const scripts: string[] = [];
  page.on('request', (request) => scripts.push(path.basename(new URL(request.url()).pathname)));
  const frame = await open('/busy');
  await expect(frame.locator('#count')).not.toHaveText('0');
  await frame.locator('body').click({ position: { x: 400, y: 300 } });
  await loaded(page, 'hud');
  const before = scripts.length;

  const panel = page.getByRole('region', { name: 'Debug HUD' });
  await page.keyboard.press('Control+Shift+H');
  await expect(panel).toBeVisible();
  expect(scripts.slice(before).length).toBeGreaterThanOrEqual(2); // no part of it was there before
  const value = (name: string) => panel.getByRole('status', { name, exact: true });
  for (const name of ['Commits/s', 'Frames/s', 'Surrogate frames/s', 'Data, kB/s', 'Nodes', 'Mutations/s'])
    await expect.poll(async () => Number(await value(name).textContent()), name).toBeGreaterThan(0);
  await expect(value('Canvases, MB')).toHaveText('1');
  await expect(frame.locator('#key')).toHaveText(/none|Control|Shift/);
});

test('[R-004] the comparator mode hides video, scrollbars and what the shell shows, and shows them again', async ({
  page,
  site,
  open,
}) => {
  site.on('/busy', PAGE);
  const frame = await open('/busy');
  await frame.locator('body').click({ position: { x: 400, y: 300 } });
  const look = () =>
    frame.locator('html').evaluate((html) => ({
      video: getComputedStyle(html.querySelector('video')!).visibility,
      scrollbars: getComputedStyle(html).scrollbarWidth,
    }));
  const button = page.getByRole('button', { name: 'Tab menu' });
  await expect(button).toBeVisible();
  await loaded(page, 'hud');
  await page.keyboard.press('Control+Shift+X');
  await expect.poll(look).toEqual({ video: 'hidden', scrollbars: 'none' });
  await expect(button).toBeHidden();
  await page.keyboard.press('Control+Shift+X');
  await expect.poll(look).toEqual({ video: 'visible', scrollbars: 'auto' });
  await expect(button).toBeVisible();
});

test('[S-002] people without the setting have no HUD, and load nothing of it', async ({ page, site }) => {
  site.on('/busy', PAGE);
  const host = await startHost({ allow: [`127.0.0.1:${site.port}`] });
  try {
    const pairing = page.waitForResponse((response) => response.url().includes('/r/pair'));
    await page.goto(`${host.origin}/${site.origin}/busy`);
    await shown(page);
    expect(await (await pairing).text()).not.toContain('"id":"hud"');
    await loaded(page, 'popups'); // as all others that load when the page is idle
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.keyboard.press('Control+Shift+H');
    await page.keyboard.press('k');
    await expect(view(page).locator('#key')).toHaveText('k');
    expect(asked.filter((address) => address.includes('/hud'))).toEqual([]);
    await expect(page.getByRole('region', { name: 'Debug HUD' })).toHaveCount(0);
  } finally {
    await host.stop();
  }
});
