import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import vm from 'node:vm';
import { afterAll, describe, expect, it } from 'vitest';
import { messagesOf, parseManifest, PLUGIN_API } from '../../../../core/contracts/manifest.ts';
import type { AnyManifest } from '../../../../core/contracts/manifest.ts';
import * as messages from '../../../../core/protocol/message.ts';
import type { PageHalf } from '../../../../core/contracts/page-global.ts';
import { buildPlugins } from '../external-plugins.ts';
import type { BuiltPlugins, PluginSource } from '../external-plugins.ts';
import { pluginFolder } from './plugin-folder.ts';

const manifest: AnyManifest = {
  id: 'word-count',
  version: '1.0.0',
  api: 1,
  description: 'Counts',
  activation: 'first-use',
};

describe('the halves of a plugin from outside', () => {
  const dataDir = pluginFolder({ 'extension/page.js': 'own();', 'extension/manifest.json': readManifest() });
  const folders = [dataDir];
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  const build = (folder: string, external = true): Promise<BuiltPlugins<PluginSource>> => {
    folders.push(folder);
    return buildPlugins([{ manifest, folder, external }], { extensionDir: path.join(dataDir, 'extension'), dataDir });
  };

  it('imports what the shell shares, and has its sheets beside it', async () => {
    const { plugins, files } = await build(pluginFolder());
    const { module = '' } = plugins[0]!;
    expect(module).toMatch(/^\/safeview-static\/plugins\/word-count\/index-\w+\.js$/);
    const scripts = [...files].filter(([address]) => address.endsWith('.js')).map(([, { body }]) => body.toString());
    const imported = scripts.flatMap((script) =>
      [...script.matchAll(/(?:from|import)\s*\(?"([^"]+)"/g)].map(([, name]) => name),
    );
    const foreign = new Set(imported.filter((name) => !files.has(name!)));
    expect([...foreign].filter((name) => !name!.startsWith('./')).sort()).toEqual([
      '@preact/signals-react',
      '@preact/signals-react/runtime',
      'react/jsx-runtime',
      'vitrine/core',
    ]);
    const sheet = [...files].find(([address]) => address.endsWith('.css'));
    expect(sheet?.[1].type).toBe('text/css; charset=utf-8');
    expect(scripts.some((script) => script.includes(`"${sheet?.[0]}"`))).toBe(true);
  });

  it('names files by what is in them', async () => {
    const addresses = async (folder: string): Promise<string[]> => [...(await build(folder)).files.keys()].sort();
    const first = await addresses(pluginFolder());
    expect(await addresses(pluginFolder())).toEqual(first);
    const changed = await addresses(pluginFolder({ 'client/panel.css': 'p { color: red }' }));
    expect(changed.filter((address) => address.endsWith('.css'))).not.toEqual(
      first.filter((address) => address.endsWith('.css')),
    );
  });

  it('joins the page halves through their global, and shares their entry', async () => {
    const { extensionDir } = await build(pluginFolder());
    expect(extensionDir.startsWith(dataDir)).toBe(true);
    const { content_scripts } = JSON.parse(readFileSync(path.join(extensionDir, 'manifest.json'), 'utf8'));
    expect(content_scripts).toEqual([{ js: ['page.js', 'plugin-word-count.js'], world: 'ISOLATED' }]);
    expect(readFileSync(path.join(extensionDir, 'page.js'), 'utf8')).toBe('own();');

    const added: PageHalf[] = [];
    const made: unknown[] = [];
    const entry = {
      ...messages,
      PLUGIN_API,
      message: (...given: Parameters<typeof messages.message>) => {
        const message = messages.message(...given);
        made.push(message);
        return message;
      },
    };
    const script = readFileSync(path.join(extensionDir, 'plugin-word-count.js'), 'utf8');
    vm.runInNewContext(script, { vitrinePage: { entry, add: (half: PageHalf) => added.push(half) } });
    expect(added).toHaveLength(1);
    expect(added[0]!.activate).toBeTypeOf('function');
    const { protocol: _protocol, ...facts } = added[0]!.manifest;
    expect(parseManifest({ ...facts, slots: [...facts.slots!] }).id).toBe('word-count');
    expect(messagesOf(added[0]!.manifest)).toHaveLength(4);
    expect(new Set(made)).toEqual(new Set(messagesOf(added[0]!.manifest)));
  });

  it.each([
    ['client/index.ts', 'export {};', /client half .*"activate"/],
    [
      'client/index.ts',
      '\nimport "no-such-package"; export const activate = 1;',
      /client\/index.ts:2:8: Could not resolve/,
    ],
    [
      'client/index.ts',
      'import "vitrine/host"; export const activate = 1;',
      /imports vitrine\/core, not vitrine\/host/,
    ],
    ['page/index.ts', 'import "vitrine/core"; export const activate = 1;', /imports vitrine\/page, not vitrine\/core/],
    ['page/index.ts', 'import "vitrine/nothing"; export const activate = 1;', /there is no vitrine\/nothing/],
  ])('says why one cannot be built: %s with `%j`', async (file, text, reason) => {
    const folder = pluginFolder({ [file]: text });
    await expect(build(folder)).rejects.toMatchObject({ code: 'bad-plugin', message: expect.stringMatching(reason) });
    await expect(build(folder)).rejects.toThrow(folder);
  });

  it('builds no half that is not there, and nothing of a plugin of this checkout', async () => {
    const { plugins, files, extensionDir } = await build(pluginFolder({ client: null, page: null }));
    expect(plugins[0]).not.toHaveProperty('module');
    expect(files.size).toBe(0);
    expect(extensionDir).toBe(path.join(dataDir, 'extension'));
    expect((await build(pluginFolder(), false)).files.size).toBe(0);
  });
});

function readManifest(): string {
  return JSON.stringify({ name: 'vitrine', content_scripts: [{ js: ['page.js'], world: 'ISOLATED' }] });
}
