import { execFile } from 'node:child_process';
import { cpSync, readFileSync, readdirSync, realpathSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import type { ClientManifestFile } from '../../host/build/client-manifest.ts';
import { OFFER_MS } from '../../plugins/tab-menu/client/gather.ts';
import { startHost } from '../fidelity/host.ts';
import { neverFires } from './support/never-fires.ts';
import { expect, shown, test, view } from './support/vitrine.ts';

const root = path.resolve(import.meta.dirname, '../..');
const BUILT_FROM = ['core', 'plugins', 'host', 'package.json', 'package-lock.json', 'rollup.config.ts', 'dist'];
/** A checkout whose last build has all plugins. */
let checkout: string;
const manifest = (): ClientManifestFile =>
  JSON.parse(readFileSync(path.join(checkout, 'dist/client/manifest.json'), 'utf8')) as ClientManifestFile; // our own build's

const vitrine = (...args: string[]): Promise<{ readonly code: number; readonly text: string }> =>
  new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ['host/setup.mjs', 'vitrine', '--', ...args],
      { cwd: checkout },
      (_error, out, err) => resolve({ code: child.exitCode ?? -1, text: out + err }),
    );
  });

test.beforeAll(({ folder }) => {
  checkout = folder;
  for (const name of BUILT_FROM) cpSync(path.join(root, name), path.join(checkout, name), { recursive: true });
  symlinkSync(realpathSync(path.join(root, 'node_modules')), path.join(checkout, 'node_modules'));
});

test('a build without plugins has none of their files, serves none, and works', async ({ page, site }) => {
  const ofThem = (): string[] =>
    Object.entries(manifest().files).flatMap(([name, { owner }]) =>
      ['dialogs', 'find', 'login'].includes(owner) ? [name] : [],
    );
  const left = ofThem();
  expect(left.length).toBeGreaterThan(5);

  expect(await vitrine('build', '--without', 'dialogs,find,login')).toMatchObject({ code: 0 });
  expect(ofThem()).toEqual([]);
  const files = readdirSync(path.join(checkout, 'dist'), { recursive: true, encoding: 'utf8' });
  expect(files.filter((name) => left.includes(name.replace(/^client\/|\.br$/g, '')))).toEqual([]);
  const scripts = files.filter((name) => name.endsWith('.js'));
  expect(scripts.length).toBeGreaterThan(10);
  for (const name of scripts)
    expect(readFileSync(path.join(checkout, 'dist', name), 'utf8'), name).not.toMatch(/dialogs\.open|confirm-dismiss/);

  const host = await startHost({ allow: [`127.0.0.1:${site.port}`], root: checkout });
  try {
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    site.on(
      '/',
      `<!doctype html><title>Page</title><button onclick="this.textContent = confirm('Sure?')">ask</button>`,
    );
    await neverFires(page, [OFFER_MS]); // the menu goes on without no entry whose code comes late
    await page.goto(`${host.origin}/${site.origin}/`);
    await shown(page);
    await view(page).getByRole('button').click();
    await expect(view(page).getByRole('button')).toHaveText('false'); // as when the person declines
    expect(asked.length).toBeGreaterThan(5);
    // Entries of other plugins are there.
    const found = await page.waitForFunction(
      () => performance.getEntriesByType('resource').find(({ name }) => name.includes('/tab-menu-'))?.name,
    );
    // It hears the key once its module has run, and the loader has gone on after that.
    await page.evaluate(
      `import('${await found.jsonValue()}').then(() => new Promise((over) => requestIdleCallback(() => over())))`,
    );
    const entries = page.frameLocator('#vitrine-page-frame').locator('.vitrine-menu-label');
    await page.keyboard.press('Control+Shift+F10');
    await expect(entries.first()).toHaveText('Print');
    expect(await entries.allInnerTexts()).not.toContain('Find in page');
    expect(asked.filter((url) => /login|dialogs\.|page-dialog|\/find/.test(url))).toEqual([]);
    for (const name of left) {
      const { status } = await fetch(`${host.origin}/safeview-static/app/${name}`);
      expect(status, name).toBe(404);
    }
  } finally {
    await host.stop();
  }
});

test('a required or unknown plugin cannot be left out', async () => {
  const built = JSON.stringify(manifest());
  const refused = await vitrine('build', '--without', 'mirror');
  expect(refused.code).not.toBe(0);
  expect(refused.text).toContain('mirror cannot be left out: the product requires vitrine.renderer, which it provides');
  const missing = await vitrine('build', '--without', 'dialogs,dialgos');
  expect(missing.code).not.toBe(0);
  expect(missing.text).toContain('unknown plugin dialgos; known plugins: ');
  expect(JSON.stringify(manifest())).toBe(built);
});

test('an invalid command reports the error and the usage', async () => {
  const [unknown, help, all] = await Promise.all([
    vitrine('build', '--wihtout', 'dialogs'),
    vitrine('build', '--help'),
    vitrine('--help'),
  ]);
  expect(unknown.code).not.toBe(0);
  expect(unknown.text).toContain('Unknown arguments of build: --wihtout dialogs');
  for (const { text } of [unknown, help, all]) expect(text).toContain('vitrine build [--without NAME,NAME]');
});
