import { get } from 'node:http';
import { chmod, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from './support/vitrine.ts';

const MIB = 1024 * 1024;
const PROFILE_MIB = 128;
test.use({
  hostOptions: [
    async ({ folder }, use) => {
      await chmod(folder, 0o755); // surrogates have users of their own, and keep their profiles here
      await use(['--profile-size', String(PROFILE_MIB), '--data', folder]);
    },
    { scope: 'worker' },
  ],
  samePerson: false,
});

/** The profiles of people who have left go at any time. */
function unlessGone(thrown: NodeJS.ErrnoException): void {
  if (thrown.code !== 'ENOENT') throw thrown;
}

test('[M3] the limits of cells are shown in the metrics', async ({ vitrine }) => {
  const text = await new Promise<string>((resolve, reject) => {
    get(`${vitrine}/metrics`, (response) => {
      let all = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (all += chunk));
      response.on('end', () => resolve(all));
    }).on('error', reject);
  });
  expect(text).toContain(`vitrine_limit_profile_bytes ${PROFILE_MIB * MIB}\n`);
  const always = [
    'cell_memory_bytes',
    'browser_memory_bytes',
    'decoder_memory_bytes',
    'cell_connections',
    'cell_names',
  ];
  for (const name of always) expect(text).toMatch(new RegExp(`^vitrine_limit_${name} [1-9]\\d+$`, 'm'));
  for (const name of ['cell_tasks', 'browser_tasks', 'decoder_network', 'cpu_percent'])
    expect(text).toMatch(new RegExp(`^vitrine_limit_${name} \\d+$`, 'm'));
});

test('[M3] a page that stores more than its share gets an error, and goes on', async ({ open, site }) => {
  site.on(
    '/stores',
    `<!doctype html><button>write</button><p>nothing</p><script>
    document.querySelector('button').onclick = async () => {
      const folder = await navigator.storage.getDirectory();
      const file = await (await folder.getFileHandle('large', { create: true })).createWritable();
      let written = 0;
      try {
        for (; written < 512; written++) await file.write(new Uint8Array(${MIB}).fill(written));
        await file.close();
        document.querySelector('p').textContent = 'wrote all';
      } catch (error) {
        document.querySelector('p').textContent = error.name + ' after ' + written;
      }
    };
  </script>`,
  );
  const frame = await open('/stores');
  await frame.locator('button').click();
  const outcome = frame.locator('p');
  await expect(outcome).toContainText('QuotaExceededError after');
  const written = Number(/\d+$/.exec((await outcome.textContent()) ?? '')?.[0]);
  expect(written).toBeGreaterThan(0);
  expect(written).toBeLessThan(PROFILE_MIB / 2);
});

test('[M3] a browser whose profile is past its size is ended, and the person is told', async ({
  folder,
  open,
  page,
  site,
}) => {
  site.on('/page', '<!doctype html><h1>here</h1>');
  const frame = await open('/page');
  await expect(frame.locator('h1')).toHaveText('here');
  const profiles = path.join(folder, 'surrogates/profiles');
  // Chromium's own quota holds pages: stands for a browser that has been taken over.
  for (const profile of await readdir(profiles))
    await writeFile(path.join(profiles, profile, 'large'), Buffer.alloc(PROFILE_MIB * MIB, 1)).catch(unlessGone);
  const failure = page.getByRole('alert');
  await expect(failure).toContainText('This page was stopped');
  await expect(failure).toContainText('stored too much data');
  await failure.getByRole('button', { name: 'Try again' }).click();
  await expect(frame.locator('h1')).toHaveText('here');
  await expect(failure).toBeHidden();
});
