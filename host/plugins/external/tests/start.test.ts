import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { toAppError } from '../../../../core/protocol/errors.ts';
import { loadProgram } from '../../../compose/program.ts';
import { parseOptions } from '../../../compose/options.ts';
import { pluginFolder } from './plugin-folder.ts';

const ROOT = path.resolve(import.meta.dirname, '../../../..');
const MAIN = path.join(ROOT, 'host/main.ts');
const MANIFEST = { id: 'mine', version: '1.0.0', api: 1, description: 'Mine', activation: 'boot' };
const manifestOf = (changes: object): string =>
  `export const manifest = ${JSON.stringify({ ...MANIFEST, ...changes })};`;

interface Ended {
  /** Exit code, or the signal that ended it. */
  readonly code: number | NodeJS.Signals | null;
  readonly words: string;
}

describe('a host that is to serve a plugin from outside', () => {
  const folders = [mkdtempSync(path.join(os.tmpdir(), 'vitrine-data-'))];
  const made = (changes: Readonly<Record<string, string | null>>): string => {
    const folder = pluginFolder(changes);
    folders.push(folder);
    return folder;
  };
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  /** Starts a host that has no Chromium: it ends by itself, once it has read its plugins. */
  const start = (folder: string): Promise<Ended> =>
    new Promise((resolve) => {
      const { VITRINE_CHROMIUM: _none, ...env } = process.env;
      const args = [MAIN, '--port', '0', '--data', folders[0]!, '--plugins', folder];
      const child = execFile(process.execPath, args, { env }, (_error, _stdout, stderr) =>
        resolve({ code: child.exitCode ?? child.signalCode, words: stderr }),
      );
    });

  it('loads its halves from a folder that has no packages', async () => {
    const { words } = await start(made({}));
    expect(words).toContain('no Chromium is named');
  });

  it.each<[string, Record<string, string | null>, string | RegExp]>([
    ['has no manifest', { 'manifest.ts': null }, 'there is no manifest.ts or manifest.js'],
    ['exports none', { 'manifest.ts': 'export const other = 1;' }, 'manifest.ts: exports no manifest'],
    ['has a wrong one', { 'manifest.ts': manifestOf({ id: 'My Plugin' }) }, /manifest.ts: manifest: id: /],
    ['was written for another version', { 'manifest.ts': manifestOf({ api: 2 }) }, /manifest: api: .*1.*2/],
    ['has the name of another', { 'manifest.ts': manifestOf({ id: 'mirror' }) }, 'the id mirror is that of'],
    [
      'has a message named like one of another',
      {
        'manifest.ts': `import { found } from './protocol.ts'; ${manifestOf({}).replace('}', ', protocol: { found } }')}`,
        'protocol.ts': `import { message, nothing } from 'vitrine/protocol/message';
          export const found = message('mirror.page-batch', { direction: 'page-to-host', params: nothing });`,
      },
      'manifest.ts: manifest: protocol: the message mirror.page-batch must be named mine....',
    ],
    [
      'names a slot that is not there',
      { 'manifest.ts': manifestOf({ slots: ['overlay.nosuch'] }) },
      'manifest: slots: there is no overlay.nosuch',
    ],
    [
      'requires what nobody provides',
      { 'manifest.ts': manifestOf({ requires: ['vitrine.texts', 'vitrine.renderer', 'nosuch.service'] }) },
      'manifest: requires: nobody provides nosuch.service',
    ],
    [
      'would have surrogates launched with what is not on the list',
      { 'manifest.ts': manifestOf({ launch: { preferences: { 'local-fonts': 'granted' } } }) },
      'manifest.ts: manifest: launch.preferences.local-fonts: ',
    ],
    ['does not parse', { 'manifest.ts': 'export const manifest = {' }, 'manifest.ts:1: Unexpected token'],
    ['has a host half that does nothing', { 'host/index.ts': 'export const start = 1;' }, 'no function activate'],
    ['has a host half that throws', { 'host/index.ts': 'throw new Error("not today");' }, 'host/index.ts: not today'],
    [
      'has a half that third parties may not have',
      { 'main/index.ts': 'export const activate = () => {};' },
      'main/index.ts: a plugin from outside this checkout has no main half',
    ],
    [
      'would be part of the boot script',
      { 'manifest.ts': manifestOf({ inBootScript: true }) },
      'manifest.ts: manifest: inBootScript: only plugins of the build are part of the boot script',
    ],
    [
      'has a session half that does nothing',
      { 'host/session.ts': 'export const activate = () => {};' },
      'host/session.ts: exports no function activateSession',
    ],
    [
      'has a route that its manifest does not name',
      { 'host/routes.ts': 'export const routes = { "GET /r/mine": () => {} };' },
      'host/routes.ts: routes: the manifest does not name GET /r/mine',
    ],
    [
      'names a route that it does not have',
      { 'manifest.ts': manifestOf({ routes: ['GET /r/mine'] }) },
      'routes: there is no GET /r/mine, which the manifest names',
    ],
    [
      'has routes that are no functions',
      { 'host/routes.ts': 'export const routes = { "GET /r/mine": 1 };' },
      'host/routes.ts: routes: functions by method and path',
    ],
    [
      'has statuses that are none of errors',
      { 'host/routes.ts': 'export const errors = { "mine-broken": 302 };' },
      'host/routes.ts: errors: HTTP statuses from 400 to 599 by code',
    ],
    [
      'has a service half that does nothing',
      { 'host/service.ts': 'export const activate = () => {};' },
      'host/service.ts: exports no function activateService',
    ],
    [
      'has a service half that imports what its manifest does not name',
      { 'host/service.ts': 'import "node:fs"; export const activateService = () => {};' },
      'host/service.ts: the manifest does not permit node:fs',
    ],
    [
      'asks for what there is not',
      { 'host/index.ts': 'import "vitrine/nothing"; export const activate = () => {};' },
      'host/index.ts: Package subpath',
    ],
    [
      'has a client half that imports what is nowhere',
      { 'client/index.ts': '\nimport "no-such-package"; export const activate = () => {};' },
      'client/index.ts:2:8: Could not resolve "no-such-package"',
    ],
  ])('does not start when it %s', async (_what, changes, reason) => {
    const folder = made(changes);
    const refused = await loadProgram(ROOT, parseOptions(['--data', folders[0]!, '--plugins', folder], {})).then(
      () => 'nothing',
      (thrown: unknown) => toAppError(thrown).message,
    );
    expect(refused).toContain(folder);
    expect(refused).toMatch(reason);
  });

  it('ends with the reason, and with exit code 1', async () => {
    const folder = made({ 'host/service.ts': 'import "node:fs"; export const activateService = () => {};' });
    const { code, words } = await start(folder);
    expect(code, words).toBe(1);
    expect(words).toContain(`Vitrine could not start: ${folder}/host/service.ts: the manifest does not permit node:fs`);
  });

  it('does not start without the folder', async () => {
    const folder = path.join(os.tmpdir(), 'vitrine-no-such-plugin');
    const { code, words } = await start(folder);
    expect(code).toBe(1);
    expect(words).toContain(`Vitrine could not start: ${folder}: there is no such folder`);
  });
});
