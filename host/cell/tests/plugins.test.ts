import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadPlugins } from '../../plugins/registry.ts';
import type { RegisteredPlugin } from '../../plugins/registry.ts';
import { token } from '../../../core/contracts/token.ts';
import { PLUGIN_API } from '../../../core/contracts/manifest.ts';
import type { AnyManifest } from '../../../core/contracts/manifest.ts';
import type { ActivateHost } from '../../contracts/host-scope.ts';
import type { Person } from '../../base/person.ts';
import { ANNA, BEN, browse, pairRequest, policyOf, serveSite, startWorker } from './harness.ts';
import { fromClient } from './fixture/echo/protocol.ts';

const here = import.meta.dirname;

describe('the plugin registry', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'vitrine-plugins-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Writes a plugin of the given files. */
  const plugin = (name: string, files: Readonly<Record<string, string>>): string => {
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(path.join(folder, name, path.dirname(file)), { recursive: true });
      writeFileSync(path.join(folder, name, file), text);
    }
    return path.join(folder, name);
  };
  const good = (id: string): string =>
    `export const manifest = ${JSON.stringify({ id, version: '1.2.3', api: PLUGIN_API, description: 'x', activation: 'boot' })};`;
  const load = (...folders: string[]): Promise<RegisteredPlugin[]> =>
    loadPlugins(path.join(folder, 'nowhere'), { folders });

  it('reads a folder with a manifest and a host half, in TypeScript or JavaScript', async () => {
    const js = plugin('js', { 'manifest.js': good('js'), 'host/index.js': 'export const activate = () => {};' });
    const [first, second] = await load(path.join(here, 'fixture/echo'), js);
    expect(first).toMatchObject({ manifest: { id: 'echo' }, external: true, activate: expect.any(Function) });
    expect(second).toMatchObject({ manifest: { id: 'js', version: '1.2.3' }, activate: expect.any(Function) });
    expect(await load(plugin('bare', { 'manifest.js': good('bare') }))).toMatchObject([{ manifest: { id: 'bare' } }]);
  });

  it.each([
    ['no folder', () => path.join(folder, 'absent'), 'bad-plugin', /absent/],
    ['no manifest', () => plugin('empty', { 'readme.txt': '' }), 'bad-plugin', /no manifest\.ts/],
    [
      'a manifest that exports none',
      () => plugin('none', { 'manifest.js': 'export const x = 1;' }),
      'bad-plugin',
      /exports no manifest/,
    ],
    [
      'a manifest of a wrong shape',
      () => plugin('shape', { 'manifest.js': 'export const manifest = {id: 7};' }),
      'bad-plugin',
      /manifest: id/,
    ],
    [
      'a key that manifests have not',
      () => plugin('key', { 'manifest.js': good('key').replace('{', '{ colour: 1,') }),
      'bad-plugin',
      /manifest: colour: there is no such key$/,
    ],
    ['a manifest that throws', () => plugin('throws', { 'manifest.js': 'throw new Error("oh");' }), 'bad-plugin', /oh/],
    [
      'a host half without activate',
      () => plugin('half', { 'manifest.js': good('half'), 'host/index.js': 'export const start = 1;' }),
      'bad-plugin',
      /exports no function activate/,
    ],
    [
      'a host half that is no TypeScript, with its line',
      () =>
        plugin('slip', {
          'manifest.js': good('slip'),
          'host/index.ts': 'export const a = 1;\n\nconst b: number = ;\n',
        }),
      'bad-plugin',
      /host\/index\.ts:3: Expression expected/,
    ],
    [
      'a file that it imports',
      () =>
        plugin('deep', {
          'manifest.js': good('deep'),
          'host/index.ts': "export { activate } from './half.ts';",
          'host/half.ts': '\nexport const activate = (: void => {};\n',
        }),
      'bad-plugin',
      /host\/half\.ts:2: /,
    ],
  ])('names what is wrong: %s', async (_what, make, code, message) => {
    await expect(load(make())).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  });

  it('refuses two plugins of one id', async () => {
    const [a, b] = [plugin('a', { 'manifest.js': good('twin') }), plugin('b', { 'manifest.js': good('twin') })];
    await expect(load(a, b)).rejects.toMatchObject({ code: 'plugin-taken' });
  });

  it('reads versions of one plugin that are there for variants of their own, side by side', async () => {
    const version = (name: string, changes: object, files: Readonly<Record<string, string>> = {}): string => {
      const manifest = {
        id: 'sided',
        version: '1.0.0',
        api: PLUGIN_API,
        description: 'x',
        activation: 'boot',
        capability: 'sided',
        ...changes,
      };
      return plugin(name, { 'manifest.js': `export const manifest = ${JSON.stringify(manifest)};`, ...files });
    };
    const one = version('sided-1', {}, { 'page/index.js': '' });
    const next = version('sided-2', { version: '2.0.0', variants: ['next', 'beta'] });
    expect((await load(one, next)).map(({ manifest }) => manifest.version)).toEqual(['1.0.0', '2.0.0']);
    for (const [name, changes, files, reason] of [
      ['again', { variants: ['beta'] }, {}, /and so is the variant beta/],
      ['other', { variants: ['x'], capability: 'other' }, {}, /have one capability/],
      ['paged', { variants: ['y'] }, { 'page/index.js': '' }, /only one of them may have a page half/],
    ] as const)
      await expect(load(one, next, version(name, changes, files))).rejects.toMatchObject({
        code: 'plugin-taken',
        message: expect.stringMatching(reason),
      });
    await expect(load(version('free', { capability: undefined, variants: ['x'] }))).rejects.toThrow(
      /they need a capability/,
    );
  });
});

describe('host halves', () => {
  let site: Awaited<ReturnType<typeof serveSite>>;
  let started: Awaited<ReturnType<typeof startWorker>>;
  const events: string[] = [];
  const greeting = token<{ readonly text: string }>('first.greeting');

  const half = (id: string, activate: ActivateHost, more: Partial<AnyManifest> = {}): RegisteredPlugin => ({
    manifest: { id, version: '1.0.0', api: PLUGIN_API, description: 'x', activation: 'boot', ...more },
    folder: id,
    external: false,
    activate,
  });

  beforeAll(async () => {
    site = await serveSite(() => '<!doctype html><p>hello');
    const echo = await loadPlugins(here, { folders: [path.join(here, 'fixture/echo')] });
    const plugins = [
      half(
        'second',
        ({ services, onDispose }) => {
          events.push(`second has ${services.get(greeting).text}`);
          onDispose(() => events.push('second gone'));
        },
        { requires: ['first.greeting'] },
      ),
      half(
        'first',
        ({ services, onDispose, signal }) => {
          services.provide(greeting, { text: 'hello' });
          signal.addEventListener('abort', () => events.push('first aborted'));
          onDispose(() => events.push('first gone'));
        },
        { provides: ['first.greeting'] },
      ),
      half('failing', ({ frames, onDispose }) => {
        onDispose(() => events.push('failing undone'));
        frames.onReady(() => events.push('failing heard'));
        throw new Error('cannot');
      }),
      half('listener', ({ frames, hooks, tab }) => {
        frames.onReady(() => {
          throw new Error('in a listener');
        });
        hooks.tap(tab.hooks.navigated, async () => Promise.reject(new Error('in a hook')));
      }),
      half('thief', ({ commands }) => {
        try {
          commands.handle(fromClient, () => ({ text: 'stolen' }));
        } catch (thrown) {
          events.push(`thief: ${(thrown as { code: string }).code}`);
        }
      }),
      half('round', () => void events.push('round on'), { requires: ['square.service'], provides: ['round.service'] }),
      half('square', () => void events.push('square on'), {
        requires: ['round.service'],
        provides: ['square.service'],
      }),
      half('gated', () => void events.push('gated on'), { capability: 'special' }),
      ...echo,
    ];
    const policy = await policyOf(
      'tenants: { default: { users: { anna: { policy: { capabilities: { special: false } } }, ben: { policy: { capabilities: { special: blue } } } } } }',
      plugins,
    );
    started = await startWorker({ plugins, policy });
  });
  afterAll(async () => {
    await started.stop();
    site.close();
  });

  it('are activated after what they require, and undone in reverse; one that fails is undone and reported once', async () => {
    const client = await browse(started.worker, site.url('one.test'));
    await client.tellsOf('ready');
    expect(events).toEqual(['second has hello', 'failing undone', 'thief: not-yours']);
    const reports = started.log.lines.filter(
      ([level, , data]) => level === 'error' && (data as { plugin?: string }).plugin === 'failing',
    );
    expect(reports).toMatchObject([['error', 'plugin: activation failed', { error: 'cannot' }]]);
    const refused = started.log.lines.filter(([, , data]) => (data as { code?: string }).code === 'requires-cycle');
    expect(refused).toMatchObject(
      ['square', 'round'].map((plugin) => [
        'error',
        'plugin: activation failed',
        { plugin, error: `${plugin} requires itself` },
      ]),
    );

    await started.worker.unpair(ANNA, { safe_rid: client.answer.safe_rid ?? '' });
    expect(events.slice(3)).toEqual(['second gone', 'first aborted', 'first gone']);
  });

  it('that throw in a listener or a hook are reported under their name, and the others hear all the same', async () => {
    const client = await browse(started.worker, site.url('two.test'));
    await client.tellsOf('ready');
    await client.tellsOf('navigated');
    const named = started.log.lines.filter(([, line]) => /listener failed|in a hook/.test(line));
    expect(named.map(([, , data]) => (data as { plugin: string }).plugin)).toContain('listener');
    expect(named.some(([, line]) => /in a hook/.test(line))).toBe(true);
  });

  it('have what their page halves log in the log of the host, with its data', async () => {
    const record = { plugin: 'echo', level: 'warn', message: 'odd', details: '{"n":1}' };
    const tooLong = { ...record, message: 'never', details: 'x'.repeat(2001) };
    const logs = [tooLong, record].map((each) => `logs=${encodeURIComponent(JSON.stringify(each))}`).join('&');
    await browse(started.worker, site.url('one.test', `/?${logs}`));
    const logged = (): unknown[] => started.log.lines.filter(([, line]) => /^(?:odd|never)$/.test(line));
    await expect
      .poll(logged)
      .toEqual([['warn', 'odd', expect.objectContaining({ from: 'page', plugin: 'echo', details: '{"n":1}' })]]);
  });

  it('are granted by capability, with the variant that it names', async () => {
    const { worker } = started;
    const ids = async (person: Person): Promise<unknown> =>
      (await worker.pair(person, pairRequest(site.url('plain.test')))).plugins?.map(
        ({ id, variant }) => `${id}:${variant}`,
      );
    const always = ['second', 'first', 'failing', 'listener', 'thief', 'round', 'square'].map((id) => `${id}:default`);
    expect(await ids(ANNA)).toEqual([...always, 'echo:default']);
    expect(events).not.toContain('gated on');
    expect(await ids(BEN)).toEqual([...always, 'gated:blue', 'echo:default']);
    expect(events).toContain('gated on');
  });
});
