import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { PLUGIN_API } from '../../../core/contracts/manifest.ts';
import { getPersistentPolicy } from '../../../core/protocol/core-messages.ts';
import { parsed } from '../../policy/tests/own-settings.ts';
import type { ReplaceablePolicyEngine } from '../../policy/engine.ts';
import { loadPlugins } from '../../plugins/registry.ts';
import type { RegisteredPlugin } from '../../plugins/registry.ts';
import { ANNA, BEN, browse, pairRequest, policyOf, serveSite, startWorker } from './harness.ts';
import type { Data } from './harness.ts';
import path from 'node:path';

const here = import.meta.dirname;

describe('a worker under a policy', () => {
  let site: Awaited<ReturnType<typeof serveSite>>;
  let started: Awaited<ReturnType<typeof startWorker>>;
  let policy: ReplaceablePolicyEngine;
  const events: string[] = [];
  let ben = '';

  const half = (id: string, more: Partial<RegisteredPlugin['manifest']>): RegisteredPlugin => ({
    manifest: { id, version: '1.0.0', api: PLUGIN_API, description: 'x', activation: 'boot', ...more },
    folder: id,
    external: false,
    activate: ({ plugin, onDispose }) => {
      events.push(`${id} ${plugin.version} ${plugin.variant} on`);
      onDispose(() => events.push(`${id} off`));
    },
  });
  const decideBy = (tenant: object, more: object = {}): void =>
    policy.replace(parsed(JSON.stringify({ tenants: { default: tenant }, ...more }), 'test'));

  beforeAll(async () => {
    site = await serveSite(() => `<!doctype html><p>${'x'.repeat(50_000)}`);
    const plugins = [
      ...(await loadPlugins(here, { folders: [path.join(here, 'fixture/echo')] })),
      half('find', { capability: 'find_in_page', provides: ['find.service'] }),
      half('find-count', { requires: ['find.service'] }),
      half('menu', { capability: 'menu' }),
      {
        ...half('menu', { capability: 'menu', variants: ['next'] }),
        manifest: { ...half('menu', {}).manifest, version: '2.0.0', capability: 'menu', variants: ['next'] },
      },
    ];
    policy = await policyOf('tenants: { default: {} }', plugins);
    started = await startWorker({ plugins, policy });
  });
  afterAll(async () => {
    await started.stop();
    site.close();
  });
  const ids = ({
    plugins = [],
  }: {
    readonly plugins?: readonly { id: string; version: string; variant: string }[];
  }): string[] => plugins.map(({ id, version, variant }) => `${id} ${version} ${variant}`);

  it('[R-089] sends a client its capabilities at pairing, those of the site on each navigation, and what policy keeps for it', async () => {
    decideBy({
      policy: { client_capabilities: { docview_modal: false, dlp_retry_codes_input: [502] } },
      sites: [{ match: 'second.test', policy: { site_capabilities: { print_enabled: false } } }],
    });
    const client = await browse(started.worker, site.url('first.test'), BEN);
    ben = client.answer.safe_rid ?? '';
    for (const name of [
      ...['docview_modal', 'custom_file_block_page', 'mpfd_cof_uploads', 'dlp_disable_cof', 'dlp_block_codes'],
      ...['dlp_retry_input', 'dlp_retry_codes_input', 'dlp_ignore_error_input', 'dlp_ignore_error_codes_input'],
      ...['dlp_soft_error_input', 'dlp_soft_error_codes_input', 'dlp_do_not_show_block_payload'],
      ...['dlp_do_not_show_block_payload_uploads', 'dlp_show_block_payload_codes', 'no_feedback_bar_springback'],
      ...['restore_tab', 'preload_indicator', 'applicationLinks', 'enable_reconnect_banner', 'insecure_form_warning'],
    ])
      expect(client.answer.client_caps, name).toHaveProperty(name);
    expect(client.answer.client_caps).toMatchObject({
      docview_modal: false,
      dlp_retry_codes_input: [502],
      restore_tab: true,
    });
    for (const name of [
      'disable_local_echo',
      'disable_local_echo_ext',
      'print_enabled',
      'key_ctrl_wait',
      'allow_client_canvas_src',
    ])
      expect(client.answer.site_caps, name).toHaveProperty(name);
    expect(client.answer.site_caps).toMatchObject({ print_enabled: true });

    await client.hears('load-state', ({ state }) => state === 'ready');
    client.endpoint.send(getPersistentPolicy, {});
    await client.hears('persistent-policy', ({ policy: kept }) => (kept as Data)['entry_action'] === 'read_write');
    const repaired = await started.worker.repair(BEN, client.answer.cid ?? '', {
      ...pairRequest(site.url('second.test')),
      tab_id: client.answer.tab_id ?? '',
      safe_rid: client.answer.safe_rid ?? '',
    });
    expect(repaired.cid).toBe(client.answer.cid);
    await client.hears('site_caps', ({ print_enabled }) => print_enabled === false);
  });

  it('[S-002] withdraws a plugin during a session, with those that require it, and grants one only at the next pairing', async () => {
    decideBy({ policy: { capabilities: { menu: false } } });
    await started.worker.unpair(BEN, { safe_rid: ben });
    events.length = 0;
    const client = await browse(started.worker, site.url('one.test'));
    expect(ids(client.answer)).toEqual(['echo 1.0.0 default', 'find 1.0.0 default', 'find-count 1.0.0 default']);
    expect(events).toEqual(['find 1.0.0 default on', 'find-count 1.0.0 default on']);

    decideBy({ policy: { capabilities: { find_in_page: false } } }); // and menu is back
    await client.hears('plugin-withdrawn', ({ id }) => id === 'find');
    await client.hears('plugin-withdrawn', ({ id }) => id === 'find-count');
    expect(events.slice(2)).toEqual(['find-count off', 'find off']);
    expect(client.core.filter(([name]) => name === 'disconnect')).toEqual([]);

    const again = await started.worker.repair(ANNA, client.answer.cid ?? '', {
      ...pairRequest(site.url('one.test')),
      tab_id: client.answer.tab_id ?? '',
      safe_rid: client.answer.safe_rid ?? '',
    });
    expect(ids(again)).toEqual(['echo 1.0.0 default']);
    expect(again.client_caps).toMatchObject({ find_in_page: false });
    expect(events).not.toContain('menu 1.0.0 default on');
    const next = await started.worker.pair(ANNA, pairRequest(site.url('one.test')));
    expect(ids(next)).toEqual(['echo 1.0.0 default', 'menu 1.0.0 default']);
  });

  it('gives each person the version and variant that a flag names, and reports the flag', async () => {
    const rule = {
      if: [{ '===': [{ var: 'user' }, 'ben'] }, 'next', { in: ['staff', { var: 'groups' }] }, 'off', 'on'],
    };
    const flag = {
      state: 'ENABLED',
      variants: { on: true, off: false, next: 'next' },
      defaultVariant: 'on',
      targeting: rule,
    };
    decideBy({}, { flags: { menu: flag } });
    const menus = async (person: typeof ANNA): Promise<unknown> =>
      (await started.worker.pair(person, pairRequest(site.url('one.test')))).plugins?.filter(({ id }) => id === 'menu');
    expect(await menus(ANNA)).toMatchObject([{ version: '1.0.0', variant: 'default', flag: 'menu' }]);
    expect(await menus(BEN)).toMatchObject([{ version: '2.0.0', variant: 'next', flag: 'menu' }]);
    expect(await menus({ ...ANNA, subject: 'carla', groups: ['staff'] })).toEqual([]);
  });

  it('refuses hosts and ends tabs whose page is now refused, with the policy’s message', async () => {
    decideBy({});
    const client = await browse(started.worker, site.url('three.test'));
    await client.hears('load-state', ({ state }) => state === 'ready');
    decideBy({ policy: { egress: { block: ['three.test'], message: 'Not from here' } } });
    expect(await client.hears('disconnect')).toMatchObject({ reason: 'policy' });
    expect(await started.worker.pair(ANNA, pairRequest(site.url('three.test')))).toMatchObject({
      error: 'access_denied',
      error_page: { message: 'Not from here' },
    });
    const other = await browse(started.worker, site.url('four.test', `/?redirect`));
    await other.hears('load-state', ({ state }) => state === 'ready');
    expect(
      await started.worker.pair({ ...ANNA, subject: 'x', tenant: 'unheard' }, pairRequest(site.url('four.test'))),
    ).toMatchObject({
      error: 'access_denied',
    });
  });

  it('lets one person leave read-only any number of times: their session goes on, and nobody else is told', async () => {
    decideBy({});
    const [anna, ben] = await Promise.all([
      browse(started.worker, site.url('six.test'), { ...ANNA, subject: 'flora' }),
      browse(started.worker, site.url('six.test'), { ...ANNA, subject: 'gil' }),
    ]);
    const asked: string[] = [];
    const slice = policy.slice.bind(policy);
    const spy = vi.spyOn(policy, 'slice').mockImplementation((subject) => {
      asked.push(subject.subject);
      return slice(subject);
    });
    for (let count = 0; count < 3000; count += 1)
      policy.exitReadOnly({ ...ANNA, subject: 'flora' }, `https://site${count % 50}.test/`);
    anna.endpoint.send(getPersistentPolicy, {});
    await anna.hears('persistent-policy');
    const again = await started.worker.pair({ ...ANNA, subject: 'flora' }, pairRequest(site.url('six.test')));
    spy.mockRestore();
    expect(again.cid).toBe(anna.answer.cid);
    expect([anna.closed, ben.closed]).toEqual([undefined, undefined]);
    expect(asked).toContain('flora');
    expect(asked).not.toContain('gil');
  });

  it('limits tabs by the person’s policy', async () => {
    decideBy({ users: { dora: { policy: { limits: { tabs: 1 } } } } });
    const dora = { ...ANNA, subject: 'dora' };
    expect(await started.worker.pair(dora, pairRequest(site.url('one.test')))).toHaveProperty('safe_rid');
    expect(await started.worker.pair(dora, pairRequest(site.url('one.test')))).toEqual({ error: 'tab_limit' });
  });

  it('[S-070] sends warn, exceed, block and allow when the traffic of a session passes the thresholds', async () => {
    const eva = { ...ANNA, subject: 'eva' };
    decideBy({ policy: { bandwidth: { warn_megabytes: 0.01 } } });
    const client = await browse(started.worker, site.url('five.test'), eva);
    expect(await client.hears('bandwidth-action')).toEqual({ action: 'warn' });
    for (const [threshold, action] of [
      ['exceed_megabytes', 'exceed'],
      ['block_megabytes', 'block'],
    ] as const) {
      decideBy({ policy: { bandwidth: { [threshold]: 0.01 } } });
      await client.hears('bandwidth-action', (told) => told['action'] === action);
    }
    decideBy({});
    await client.hears('bandwidth-action', ({ action }) => action === 'allow');
    expect(client.core.filter(([name]) => name === 'bandwidth-action').map(([, { action }]) => action)).toEqual([
      'warn',
      'exceed',
      'block',
      'allow',
    ]);
  });
});
