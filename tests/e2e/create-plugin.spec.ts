import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { startHost } from '../fidelity/host.ts';
import { loaded } from './support/loaded.ts';
import { expect, shown, test } from './support/vitrine.ts';
import { PATIENCE_MS } from '../../core/testing/patience.ts';

const CLI = path.resolve(import.meta.dirname, '../../host/cli/main.ts');
const run = promisify(execFile);

/** The new plugin. */
let folder: string;

test.beforeAll(async ({ folder: parent }) => {
  folder = path.join(parent, 'link-counter');
  await run(process.execPath, [CLI, 'create-plugin', folder]);
});

test('a new plugin is tested, built, served, and reloaded when it changes', async ({ page, site }) => {
  const script = (name: string): Promise<{ readonly stdout: string }> => run('npm', ['run', name], { cwd: folder });
  expect((await script('test')).stdout).toMatch(/2 passed/);
  await script('types');
  await script('build');

  site.on('/', '<!doctype html><title>Links</title><a href="#a">a</a> <a href="#b">b</a>');
  const panel = page.locator('#vitrine-overlay').getByRole('region', { name: 'Links' });

  const published = await startHost({
    allow: [`127.0.0.1:${site.port}`],
    options: ['--plugins', path.join(folder, 'dist')],
  });
  try {
    await page.goto(`${published.origin}/${site.origin}/`);
    await shown(page);
    await expect(panel).toContainText('2 links');
    await panel.getByRole('button', { name: 'Count' }).click();
    await expect(panel).toContainText('2 links');
  } finally {
    await published.stop();
  }

  const log = path.join(path.dirname(folder), 'reload.log');
  const sources = await startHost({
    allow: [`127.0.0.1:${site.port}`],
    options: ['--plugins', folder, '--reload'],
    log,
  });
  const failures = (): number => readFileSync(log, 'utf8').split('The host has ended.').length - 1;
  const change = (file: string, from: string, to: string): void => {
    const full = path.join(folder, file);
    writeFileSync(full, readFileSync(full, 'utf8').replace(from, to));
  };
  try {
    await page.goto(`${sources.origin}/${site.origin}/`);
    await shown(page);
    await expect(panel).toContainText('2 links');
    await loaded(page, 'reconnect'); // a press that comes while the host is away is one of no effect without it
    change('manifest.ts', 'api: PLUGIN_API', 'api: 2');
    await expect.poll(failures).toBeGreaterThan(0); // the host reports the error, and waits
    const before = failures();
    change('client/panel.tsx', ' links</output>', ' addresses</output>');
    change('page/index.ts', 'const links = document.links.length', 'const links = 10 * document.links.length');
    await expect.poll(failures).toBeGreaterThan(before);
    // The last change: a host that begins before it would be restarted, and the tab restored by it left behind.
    change('manifest.ts', 'api: 2', 'api: PLUGIN_API');
    // The open tab is restored at the next key or click, with the new halves on all sides.
    await page.waitForSelector('html[data-vitrine-state="detached"]', { state: 'attached' });
    await page.mouse.click(600, 500);
    await expect(panel).toContainText('20 addresses');
  } finally {
    await sources.stop();
  }
});

test('`npm start` of a plugin ends all its processes', { tag: '@long' }, async ({ folder: parent }) => {
  const data = path.join(parent, 'data');
  const npm = spawn('npm', ['start', '--', '--port', '0', '--data', data], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(npm, 'exit');
  let output = '';
  npm.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const origin = (): string | undefined => /Vitrine is ready: (\S+)/.exec(output)?.[1];
  await expect.poll(origin, { timeout: 2 * PATIENCE_MS }).toBeDefined();
  const answers = (): Promise<boolean> =>
    fetch(origin() ?? '').then(
      () => true,
      () => false,
    );
  expect(await answers()).toBe(true);
  npm.kill('SIGTERM');
  await ended;
  await expect.poll(answers).toBe(false);
});
