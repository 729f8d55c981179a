import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { GatedPlugin } from '../gate.ts';
import { PluginLoader } from '../loader.ts';
import { PLUGIN_API } from '../../contracts/manifest.ts';
import type { AnyManifest } from '../../contracts/manifest.ts';
import { PATIENCE_MS } from '../../testing/patience.ts';

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => {
  vi.restoreAllMocks();
});

interface Given extends Partial<AnyManifest> {
  readonly id: string;
  readonly activate?: () => unknown;
  readonly load?: GatedPlugin['load'];
  /** The flag that has decided on it. */
  readonly flag?: string;
}

function setUp(...given: Given[]) {
  const happened: string[] = [];
  const reports: string[] = [];
  const plugins = given.map(({ activate, load, flag, ...manifest }): GatedPlugin => ({
    manifest: { version: '1.0.0', api: PLUGIN_API, description: 'A plugin', activation: 'boot', ...manifest },
    grant: {
      id: manifest.id,
      version: '1.0.0',
      variant: 'default',
      base: 64,
      count: 0,
      ...(flag !== undefined && { flag }),
    },
    load:
      load ??
      (() => {
        happened.push(`load ${manifest.id}`);
        return Promise.resolve({
          activate: async () => {
            await activate?.();
            happened.push(`activate ${manifest.id}`);
          },
        });
      }),
  }));
  const loader = new PluginLoader({
    plugins,
    open: ({ manifest: { id } }) => ({
      scope: id,
      dispose: () => void happened.push(`dispose ${id}`),
    }),
    report: (name, data) =>
      void reports.push(`${name} ${String(data?.['plugin'])} ${String(data?.['code'] ?? data?.['flag'])}`),
    onSettled: (id) => void happened.push(`settled ${id}`),
    provided: ['core.service'],
  });
  const order = (what: string): string[] =>
    happened.filter((each) => each.startsWith(`${what} `)).map((each) => each.slice(what.length + 1));
  return { loader, happened, reports, order };
}

describe('plugin loader', () => {
  it('activates providers before what requires them, whatever the order of the list', async () => {
    const { loader, order } = setUp(
      { id: 'third', requires: ['b.service', 'core.service'] },
      { id: 'second', requires: ['a.service'], provides: ['b.service'] },
      { id: 'first', provides: ['a.service'], activation: 'idle' },
    );
    await loader.activateAll('boot');
    expect(order('activate')).toEqual(['first', 'second', 'third']);
  });

  it('[S-002] loads an idle plugin only when it is asked to, and one for first use with its first message', async () => {
    const { loader, order } = setUp({ id: 'idle', activation: 'idle' }, { id: 'used', activation: 'first-use' });
    await loader.activateAll('boot');
    expect(order('load')).toEqual([]);
    await loader.activateAll('idle');
    expect(order('load')).toEqual(['idle']);
    expect(loader.readiness('used')).toBe('coming');
    expect(loader.readiness('used')).toBe('coming');
    await vi.waitFor(() => {
      expect(loader.readiness('used')).toBe('active');
    }, PATIENCE_MS);
    expect(order('load')).toEqual(['idle', 'used']);
    expect(order('settled')).toEqual(['idle', 'used']);
  });

  it('activates before a hook is called the plugins for first use that tap it', async () => {
    const { loader, order } = setUp(
      { id: 'taps', activation: 'first-use', hooks: ['ready'] },
      { id: 'other', activation: 'first-use', hooks: ['elsewhen'] },
    );
    await loader.neededFor('ready');
    expect(order('activate')).toEqual(['taps']);
    expect(loader.neededFor('ready')).toBeUndefined();
  });

  it('rolls back an activation that fails, reports it once, and goes on', async () => {
    const { loader, happened, reports } = setUp(
      {
        id: 'broken',
        activate: () => {
          throw new Error('no');
        },
      },
      { id: 'sound' },
    );
    await loader.activateAll('boot');
    await loader.activateAll('boot');
    expect(reports).toEqual(['tc-plugin-failed broken internal']);
    expect(happened).toContain('dispose broken');
    expect(happened).toContain('settled broken');
    expect(loader.readiness('broken')).toBe('none');
    expect(loader.readiness('sound')).toBe('active');
  });

  it('does not activate what requires a plugin that failed, or that nobody provides', async () => {
    const { loader, reports, order } = setUp(
      { id: 'broken', provides: ['a.service'], load: () => Promise.reject(new Error('404')) },
      { id: 'needs', requires: ['a.service'] },
      { id: 'alone', requires: ['no.service'] },
    );
    await loader.activateAll('boot');
    expect(reports.sort()).toEqual([
      'tc-plugin-failed alone no-service',
      'tc-plugin-failed broken internal',
      'tc-plugin-failed needs no-service',
    ]);
    expect(order('activate')).toEqual([]);
  });

  it('refuses plugins that require each other', async () => {
    const { loader, reports } = setUp(
      { id: 'a', requires: ['x', 'b.service'], provides: ['a.service'] },
      { id: 'b', requires: ['y', 'a.service'], provides: ['b.service'] },
      { id: 'x', provides: ['x'] },
      { id: 'y', provides: ['y'] },
    );
    await loader.activateAll('boot');
    expect(reports.sort()).toEqual(['tc-plugin-failed a requires-cycle', 'tc-plugin-failed b requires-cycle']);
    expect(loader.readiness('x')).toBe('active');
  });

  it('refuses a module without activate', async () => {
    const { loader, reports } = setUp({ id: 'empty', load: () => Promise.resolve({ activate: 5 }) });
    await loader.activateAll('boot');
    expect(reports).toEqual(['tc-plugin-failed empty bad-plugin']);
  });

  it('[S-002] withdraws a plugin, after those that rely on it, for good', async () => {
    const { loader, order } = setUp(
      { id: 'base', provides: ['a.service'] },
      { id: 'top', requires: ['b.service'] },
      { id: 'middle', requires: ['a.service'], provides: ['b.service'] },
      { id: 'apart' },
    );
    await loader.activateAll('boot');
    loader.withdraw('base');
    expect(order('dispose')).toEqual(['top', 'middle', 'base']);
    expect(loader.readiness('base')).toBe('none');
    await loader.activateAll('boot');
    expect(order('activate')).toHaveLength(4);
  });

  it('reports an exposure when someone meets what a flag has decided, once, and not before', async () => {
    const { loader, reports } = setUp(
      { id: 'flagged', activation: 'first-use', capability: 'found', flag: 'found' },
      { id: 'broken', capability: 'x', flag: 'x', activate: () => Promise.reject(new Error('no')) },
      { id: 'plain' },
    );
    const exposures = (): string[] => reports.filter((each) => each.startsWith('exposure'));
    await loader.activateAll('boot');
    expect(exposures()).toEqual([]);
    loader.readiness('flagged');
    await vi.waitFor(() => {
      expect(loader.readiness('flagged')).toBe('active');
    }, PATIENCE_MS);
    await loader.activateAll('first-use');
    expect(exposures()).toEqual(['exposure flagged found']);
  });

  it('disposes a plugin that is withdrawn while it is being activated', async () => {
    let go = (): void => undefined;
    const { loader, order } = setUp({
      id: 'slow',
      activate: () =>
        new Promise<void>((resolve) => {
          go = resolve;
        }),
    });
    const all = loader.activateAll('boot');
    await vi.waitFor(() => {
      expect(loader.readiness('slow')).toBe('coming');
    }, PATIENCE_MS);
    await new Promise((resolve) => setTimeout(resolve));
    loader.withdraw('slow');
    go();
    await all;
    expect(order('dispose')).toEqual(['slow']);
    expect(loader.readiness('slow')).toBe('none');
  });
});
