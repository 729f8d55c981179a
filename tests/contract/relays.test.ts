import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { playedGateway } from '../../host/gateway/tests/played-gateway.ts';
import { createPolicyEngine } from '../../host/policy/engine.ts';
import { OWN, parsed } from '../../host/policy/tests/own-settings.ts';
import { choosePlugins } from '../../host/plugins/choice.ts';
import { loadPlugins } from '../../host/plugins/registry.ts';
import type { RegisteredPlugin } from '../../host/plugins/registry.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** Folders of the gateway's addresses; `*` are the shells. */
const FOLDERS = [
  '*',
  'c',
  'healthz',
  'metrics',
  'protection',
  'r',
  'readyz',
  'safeview-auth-server',
  'safeview-client-logger',
  'safeview-director',
  'safeview-fileserv',
  'safeview-static',
  'safeview-template',
  'vitrine-admission',
  'vitrine-page',
];

describe('relayed features', () => {
  let plugins: readonly RegisteredPlugin[];
  beforeAll(async () => {
    plugins = await loadPlugins(ROOT);
  });

  it.each(['print', 'fullscreen', 'webauthn', 'watermark'])(
    '[R-003] %s is relayed by a plugin of its own, which decides in the host and can be left out',
    async (name) => {
      const plugin = plugins.find(({ manifest }) => manifest.id === name);
      expect(plugin?.activate).toBeTypeOf('function');
      const without = await loadPlugins(ROOT, { without: [name] });
      expect(plugins.filter((each) => !without.some(({ manifest }) => manifest.id === each.manifest.id))).toEqual([
        plugin,
      ]);
    },
  );

  it('[R-003] capabilities depend on the policy of the host only', async () => {
    const capabilities = plugins.flatMap(({ manifest }) => manifest.capability ?? []);
    const source = `tenants:
  default:
    policy: { capabilities: { print: true } }
    groups:
      readers: { policy: { capabilities: { print: false } } }
`;
    const engine = await createPolicyEngine({
      policy: parsed(source, 'test.yaml'),
      settings: OWN,
      capabilities,
      log: console,
    });
    const has = async (groups: readonly string[]): Promise<boolean> => {
      const person = { subject: 'anna', tenant: 'default', groups, origin: 'http://localhost:7700' };
      const granted = await engine.grant(person, 'https://site.test/', FIREFOX);
      return choosePlugins(plugins, granted.capabilities).some(({ plugin }) => plugin.manifest.id === 'print');
    };
    expect([await has([]), await has(['readers'])]).toEqual([true, false]);
  });

  it('[R-003] there are no accounts, and there is nothing to pay', async () => {
    const gateway = await playedGateway({}, { routes: plugins.flatMap(({ manifest }) => manifest.routes ?? []) });
    try {
      await gateway.ready();
      expect(gateway.hasRoute({ method: 'GET', url: '/r/print' })).toBe(true);
      const folders = [...gateway.printRoutes({ commonPrefix: false }).matchAll(/^ {4}\S+ ([^/ ]+)/gm)].map(
        ([, name]) => name,
      );
      // A new one has to say that it is no account, and nothing to pay.
      expect([...new Set(folders)].sort()).toEqual(FOLDERS);
      expect(plugins.map(({ manifest }) => manifest.description).join('\n')).not.toMatch(/account|billing|payment/i);
    } finally {
      await gateway.close();
    }
  });
});
