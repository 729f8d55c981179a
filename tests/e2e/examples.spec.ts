import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test, view } from './support/vitrine.ts';

let policy: string;
const write = (banner: string): void =>
  writeFileSync(
    policy,
    `tenants:
  default:
    policy:
      capabilities: { link_preview: true, reading_time: true, site_banner: true, word_count: false }
    sites:
      - { match: 127.0.0.1, policy: { site_banner: { text: ${banner} } } }
`,
  );
const plugin = (name: string): string[] => ['--plugins', path.resolve(import.meta.dirname, '../fixtures', name)];
test.use({
  hostOptions: async ({ folder }, use) => {
    policy = path.join(folder, 'vitrine.policy.yaml');
    write('Handle with care');
    await use(['--policy', policy, ...plugin('link-preview'), ...plugin('reading-time'), ...plugin('site-banner')]);
  },
});

test('a note of the client, a banner of the policy and a preview of the page work together; only used halves are loaded', async ({
  page,
  site,
  open,
}) => {
  const requests: string[] = [];
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  const filler = 'word '.repeat(300);
  site.on(
    '/',
    `<!doctype html><title>Page</title><p>${filler}</p><p><a href="https://elsewhere.test/" title="Go">there</a></p>`,
  );
  const frame = await open('/');
  const overlay = page.locator('#vitrine-overlay');
  await expect(overlay.getByLabel('Reading time')).toHaveText('2 min to read');
  await expect(overlay.getByRole('region', { name: 'About this site' })).toHaveText('Handle with care');
  // The preview's client half loads with its first message.
  expect(requests.filter((address) => address.includes('/link-preview/'))).toEqual([]);
  await frame.getByRole('link').hover();
  await expect(overlay.getByLabel('Link')).toHaveText('Go leaves for elsewhere.test');
  expect(requests.filter((address) => address.includes('/link-preview/')).length).toBeGreaterThan(0);
});

test('a banner follows the policy while the page stays open', async ({ page, site, open }) => {
  site.on('/', '<!doctype html><title>Page</title><p>Text');
  await open('/');
  const banner = page.locator('#vitrine-overlay').getByRole('region', { name: 'About this site' });
  await expect(banner).toHaveText('Handle with care');
  write('Handle with gloves');
  await expect(banner).toHaveText('Handle with gloves');
});

test.describe('for a person without the capabilities', () => {
  let logged = 0;
  test.beforeAll(({ vitrine: _, hostLog }) => {
    logged = readFileSync(hostLog, 'utf8').length;
    writeFileSync(
      policy,
      'tenants: { default: { policy: { capabilities: { link_preview: false, reading_time: false, site_banner: false } } } }\n',
    );
  });
  test('nothing of a plugin is ever requested', async ({ page, site, open, hostLog }) => {
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    site.on(
      '/',
      `<!doctype html><title>Page</title><a href="https://elsewhere.test/">there</a>
      <button onclick="this.textContent = 'pressed'">press</button>`,
    );
    await expect.poll(() => readFileSync(hostLog, 'utf8').slice(logged)).toContain('the policy was reloaded');
    const pairing = page.waitForResponse((response) => response.url().includes('/r/pair'));
    await open('/');
    expect(await (await pairing).text()).not.toContain('link-preview');
    const frame = view(page);
    await frame.getByRole('link').hover();
    await frame.getByRole('button').click();
    await expect(frame.getByRole('button')).toHaveText('pressed'); // a page half would have sent before
    expect(requests.filter((address) => address.startsWith('/safeview-static/plugins/'))).toEqual([]);
    await expect(page.locator('#vitrine-overlay')).toBeEmpty();
  });
});
