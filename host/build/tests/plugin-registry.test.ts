import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { messagesOf } from '../../../core/contracts/manifest.ts';
import * as protocol from '../../../plugins/dialogs/protocol.ts';
import { loadPlugins } from '../../plugins/registry.ts';
import { pluginRegistry } from '../plugin-registry.ts';

const root = path.resolve(import.meta.dirname, '../../..');

afterEach(() => {
  delete process.env.VITRINE_WITHOUT;
});

it('leaves plugins out of the client, the page halves and the host alike', async () => {
  const load = pluginRegistry(root).load as (id: string) => Promise<string>; // a hook that is a function; some are synchronous
  const sources = (): Promise<string[]> =>
    Promise.all(['plugin', 'page'].map((half) => load(`\0virtual:${half}-registry`)));
  expect((await sources()).map((source) => [source.includes('/dialogs/'), source.includes('/mirror/')])).toEqual([
    [true, true],
    [expect.any(Boolean), true],
  ]);
  process.env.VITRINE_WITHOUT = 'dialogs, favicon-title';
  for (const source of await sources()) expect(source).not.toMatch(/\/(dialogs|favicon-title)\//);
  const host = await loadPlugins(root, { without: ['dialogs', 'favicon-title'] });
  expect(host.map(({ manifest }) => manifest.id)).not.toContain('dialogs');
  expect(host.map(({ manifest }) => manifest.id)).toContain('mirror');
});

it('gives a client the parts of a manifest that it needs before it loads the half, and the number of its messages', async () => {
  const load = pluginRegistry(root).load as (id: string) => Promise<string>;
  const source = await load('\0virtual:plugin-registry');
  const dialogs = /\{ manifest: (\{"id":"dialogs"[^}]*\}), count: (\d+), load: /.exec(source);
  expect(JSON.parse(dialogs?.[1] ?? '')).toEqual({ id: 'dialogs', version: '1.0.0', activation: 'first-use' });
  expect(Number(dialogs?.[2])).toBe(messagesOf({ protocol }).length);
  const factsOf = (id: string): unknown =>
    JSON.parse(new RegExp(`\\{ manifest: (\\{"id":"${id}"[^}]*\\}), count: `).exec(source)?.[1] ?? 'null');
  // Of hooks those that load a half, of services those that others may require; nothing of a plugin that the client has no part of.
  expect(factsOf('find')).toMatchObject({ activation: 'first-use', hooks: ['tabActions'] });
  const provides = ['vitrine.page-history', 'vitrine.person-history'];
  expect(factsOf('navigation')).toEqual({ id: 'navigation', version: '1.0.0', activation: 'boot', provides });
  expect(factsOf('mirror')).toMatchObject({ provides: ['vitrine.renderer'] });
  expect(factsOf('print')).not.toHaveProperty('provides');
  expect(factsOf('files')).toBeNull();
});
