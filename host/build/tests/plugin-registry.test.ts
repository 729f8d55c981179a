import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { loadPlugins } from '../../worker/plugin-registry.ts';
import { pluginRegistry } from '../plugin-registry.ts';

const root = path.resolve(import.meta.dirname, '../../..');

afterEach(() => {
  delete process.env.VITRINE_WITHOUT;
});

it('leaves plugins out of the client, the page halves and the host alike', async () => {
  const load = pluginRegistry(root).load as (id: string) => string; // a hook that is a function
  const sources = (): string[] =>
    ['client', 'page'].map((half) => load(`\0virtual:${half === 'client' ? 'plugin' : half}-registry`));
  expect(sources().map((source) => [source.includes('/dialogs/'), source.includes('/mirror/')])).toEqual([
    [true, true],
    [expect.any(Boolean), true],
  ]);
  process.env.VITRINE_WITHOUT = 'dialogs, favicon-title';
  for (const source of sources()) expect(source).not.toMatch(/\/(dialogs|favicon-title)\//);
  const host = await loadPlugins(root, { without: ['dialogs', 'favicon-title'] });
  expect(host.map(({ manifest }) => manifest.id)).not.toContain('dialogs');
  expect(host.map(({ manifest }) => manifest.id)).toContain('mirror');
});
