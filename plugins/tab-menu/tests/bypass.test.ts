import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { PolicyValues } from '../../../core/index.ts';
import { pluginHarness } from '../../../core/testing/harness.ts';
import { textsToken } from '../../../core/index.ts';
import { bypass } from '../client/bypass.ts';
import { manifest } from '../manifest.ts';

let document: { cookie: string };
beforeEach(() => {
  document = { cookie: '' };
  vi.stubGlobal('document', document);
});
afterEach(() => void vi.unstubAllGlobals());

/** Chooses the entry in a shell of this scheme, where the host answers so. */
async function choose(protocol: 'http:' | 'https:', policy: PolicyValues) {
  vi.stubGlobal('location', { protocol });
  const { client, acted, reloads, overlay } = pluginHarness(manifest, { policy });
  await bypass(client, client.services.get(textsToken)).act();
  return { acted, reloads, overlay };
}

it('[M-027] [S-112] asks the host, keeps its answer in a cookie for 20 minutes, and reloads', async () => {
  const { acted, reloads } = await choose('https:', { token: '17.a_b', domain: 'site.test' });
  expect(acted).toEqual([['bypass', undefined]]);
  expect(document.cookie).toBe('_sc_bypass=17.a_b%20site.test; path=/; SameSite=Strict; Max-Age=1200; Secure');
  expect(reloads).toEqual(['bypass']);
  await choose('http:', { token: '17.a_b', domain: 'site.test' });
  expect(document.cookie).not.toContain('Secure');
});

it.each([[{}], [{ token: 'a' }], [{ domain: 'site.test' }]])(
  'stays, and says so, where the host answers %j',
  async (policy) => {
    const { reloads, overlay } = await choose('http:', policy);
    expect([document.cookie, reloads]).toEqual(['', []]);
    expect(overlay.filled.map(({ props }) => props)).toMatchObject([{ text: 'tab-menu.not-bypassed' }]);
  },
);
