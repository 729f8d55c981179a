import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { loadPlugins } from '../../worker/plugin-registry.ts';
import { pluginRegistry } from '../plugin-registry.ts';

const root = path.resolve(import.meta.dirname, '../../..');

afterEach(() => {
  delete process.env.VITRINE_WITHOUT;
});

/** Names of the chunks that are built beside the boot path. */
function laterChunks(): string[] {
  const { buildStart } = pluginRegistry(root, 'boot.ts');
  const emitted: string[] = [];
  const emitFile = ({ name = '' }: { readonly name?: string }): string => String(emitted.push(name));
  (buildStart as unknown as (this: { emitFile: typeof emitFile }) => void).call({ emitFile }); // a hook that uses nothing else
  return emitted;
}

it('builds a client half that does not begin with the session as a chunk of its own, with its messages, which the boot path does not know', () => {
  const load = pluginRegistry(root).load as (id: string) => string; // a hook that is a function
  expect(load('\0virtual:plugin-registry')).not.toContain('/dialogs/');
  expect(laterChunks()).toContain('dialogs');
  expect(laterChunks()).not.toContain('mirror');
  const client = path.join(root, 'plugins/dialogs/client/index.ts');
  expect(load(`${client}?later`)).toMatch(/export \{ activate \}.*client\/index\.ts.*\n.*export \* as protocol/s);
});

it('leaves plugins out of the client, the page halves and the host alike', async () => {
  const load = pluginRegistry(root).load as (id: string) => string; // a hook that is a function
  const sources = (): string[] =>
    ['client', 'page'].map((half) => load(`\0virtual:${half === 'client' ? 'plugin' : half}-registry`));
  expect(sources().map((source) => [source.includes('/navigation/'), source.includes('/mirror/')])).toEqual([
    [true, true],
    [expect.any(Boolean), true],
  ]);
  process.env.VITRINE_WITHOUT = 'navigation, favicon-title';
  for (const source of sources()) expect(source).not.toMatch(/\/(navigation|favicon-title)\//);
  expect(laterChunks()).not.toContain('favicon-title');
  const host = await loadPlugins(root, { without: ['dialogs', 'favicon-title'] });
  expect(host.map(({ manifest }) => manifest.id)).not.toContain('dialogs');
  expect(host.map(({ manifest }) => manifest.id)).toContain('mirror');
});
