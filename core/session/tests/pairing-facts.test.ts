import { expect, it } from 'vitest';
import { pairingFacts } from '../pairing/pairing-facts.ts';

it('[M-020][R-016] the pairing dictionary contains the results of pairing, for all readers', () => {
  let isShown = false;
  const client_caps = { perf: { x: 1 }, local_echo: { enabled: true, extended: false }, safedocs_block_print: true };
  const facts = pairingFacts(
    {
      cid: 'c1',
      safe_rid: 'safe',
      rid: 'r1',
      cluster_id: 'eu',
      s_nid: 'n1',
      client_caps,
      rc_rlist: ['https://first.test/'],
      rc_url: 'https://start.test/',
    },
    { tabId: 't1', mpaId: 'm1', origin: 'https://vitrine.test', resumed: true, isShown: () => isShown },
  );
  expect(facts).toMatchObject({
    cid: 'c1',
    tab_id: 't1',
    safe_rid: 'safe',
    mpa_id: 'm1',
    cluster_id: 'eu',
    rid: 'r1',
    s_nid: 'n1',
    client_caps,
    origin: 'https://vitrine.test',
    rc_rlist: ['https://first.test/'],
    rc_url: 'https://start.test/',
    resumed: true,
    surrogate_view_active: false,
  });
  isShown = true;
  expect(facts.surrogate_view_active).toBe(true);
});
