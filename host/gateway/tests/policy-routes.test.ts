import fastifyCookie from '@fastify/cookie';
import Fastify from 'fastify';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Link } from '../../contracts/link.ts';
import type { Person } from '../../base/person.ts';
import { bypassTokens } from '../../policy/bypass.ts';
import { createPolicyEngine } from '../../policy/engine.ts';
import type { ReplaceablePolicyEngine } from '../../policy/engine.ts';
import { OWN, parsed } from '../../policy/tests/own-settings.ts';
import { FULL } from '../../policy/tests/policy-samples.ts';
import { createMetrics } from '../metrics.ts';
import { PairedAttempts } from '../paired-attempts.ts';
import { pairRoutes } from '../pair-routes.ts';
import { policyRoutes } from '../policy-routes.ts';
import { RequestLines } from '../request-lines.ts';
import { pairRequest } from '../../cell/tests/harness.ts';

/** As specified (M-027). */
const BYPASS_MS = 1_200_000;

const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const PAGE = 'https://docs.example/page';

describe('policy routes', () => {
  let app: FastifyInstance;
  let policy: ReplaceablePolicyEngine;
  let now = 1_000_000;
  const person: Person = { subject: 'anna', tenant: 'default', groups: [], origin: 'http://localhost' };
  const metrics = createMetrics();
  const lines: string[] = [];
  const unpaired: string[][] = [];

  beforeAll(async () => {
    policy = await createPolicyEngine({ policy: parsed(FULL, 'p.yaml'), settings: OWN, capabilities: [], log });
    const bypass = bypassTokens(new Uint8Array(32), () => now);
    app = Fastify({ logger: { stream: { write: (line: string) => void lines.push(line) } } });
    await app.register(fastifyCookie);
    app.decorateRequest('person');
    app.addHook('onRequest', async (request) => {
      request.person = { ...person, subject: String(request.headers['x-person'] ?? person.subject) };
    });
    policyRoutes(app, { policy, bypass, metrics, lines: new RequestLines(metrics) });
    // Whoever is not sent away comes to the worker.
    const paired = async () => ({ version: 'ok', safe_rid: 'r', cid: 'c' });
    const unpair = async ({ subject }: Person, { safe_rid }: { safe_rid: string }) => {
      unpaired.push([subject, safe_rid]);
    };
    const link = { pair: paired, repair: paired, unpair } as unknown as Link;
    pairRoutes(app, link, { policy, bypass, metrics, attempts: new PairedAttempts() });
    await app.ready();
  });
  afterAll(() => app.close());

  const post = async (url: string, payload: object, headers: Record<string, string> = {}) => {
    const { statusCode, body } = await app.inject({ method: 'POST', url, payload, headers });
    return { status: statusCode, body: JSON.parse(body) as Record<string, unknown> };
  };
  const query = async (keys: readonly string[], url = PAGE) =>
    (await post('/r/policy/query', { url, policy_keys: keys, transparent_mode: false, host: 'localhost' })).body;

  it('[S-110] answers a query with the keys that were asked for, and no others', async () => {
    expect(await query(['enable_feedback', 'enable_logo'])).toEqual({ enable_feedback: true, enable_logo: false });
    expect(await query([])).toEqual({});
    expect(await query(['constructor', '__proto__', 'limits', 'nothing'])).toEqual({});
    expect((await post('/r/policy/query', { url: PAGE })).status).not.toBe(200);
  });

  it('answers with the whole feedback policy, as it stands in the file', async () => {
    const keys = ['enable_feedback', 'enable_bypass', 'enable_logo', 'indicate_readonly', 'notification_customization'];
    expect(await query(keys)).toEqual({
      enable_feedback: true,
      enable_bypass: true,
      enable_logo: false,
      indicate_readonly: true,
      notification_customization: {
        default: {
          content: { indicator_type: 'wide' },
          css: { background_color: '#fff', border_color: '#A0b1C2', text_color: '#000', font_family: 'verdana' },
          logo_icon: { base64_img: 'data:image/png;base64,iVBORw0KGgo=' },
          readonly_indicator: { text: 'Read only / no input', iframe_text: 'Read only', tooltip: 'Typing is off' },
          bypass_indicator: { text: 'Leave isolation', tooltip: 'Opens the site itself' },
          isolate_indicator: { text: 'Isolated', tooltip: 'Shown from afar', display_text: true },
          custom_link: { show_link: true, link_url: 'https://intra.example/policy', link_text: 'Our policy' },
        },
      },
    });
  });

  it('[R-033] answers with persistent policy, copy and paste policy and session settings', async () => {
    expect(
      await query([
        'persistent_policy',
        'copy_paste_policy',
        'backend_drag_drop',
        'paste_restriction',
        'disable_all_context_menus',
        'input_context_menu',
      ]),
    ).toEqual({
      persistent_policy: {
        entry_action: 'read_only',
        new_tabs: false,
        user_experience_banner: 'coach',
        explain: [{ factor_name: 'new_domain', attributes: { age_days: 3, listed: false, by: 'feed' } }],
        exit_url: 'https://intra.example/exit',
        upgrade_action: 'confirm',
      },
      copy_paste_policy: {
        disable_copy: true,
        restrict_paste: true,
        disable_img_ctx_menu_for_copy: true,
        disable_all_ctx_menu_for_copy: true,
        char_len_limit_if_paste_restricted: 500,
        is_fail_closed_policy: false,
      },
      backend_drag_drop: false,
      paste_restriction: true,
      disable_all_context_menus: true,
      input_context_menu: 'backend',
    });
    const caps = policy.siteCapabilities(person, PAGE);
    expect(caps).toMatchObject({
      copy_paste_policy: { disable_copy: true, is_fail_closed_policy: false },
      session_settings: {
        backend_drag_drop: false,
        paste_restriction: true,
        disable_all_context_menus: true,
        input_context_menu: 'backend',
      },
    });
  });

  it('[M-027] [S-112] gives a bypass a token for its site, which sends the person there directly for 20 minutes', async () => {
    lines.length = 0;
    const { status, body } = await post('/r/policy/bypass?cid=c&cl=x', { url: PAGE, host: 'localhost' });
    expect(status).toBe(200);
    expect(body).toEqual({ token: expect.any(String), domain: 'docs.example' });
    const told = lines.filter((line) => line.includes('policy action') && line.includes('bypass'));
    expect(told).not.toEqual([]);
    // The site is enough: paths and queries may hold secrets.
    for (const line of told) {
      expect(line).toContain('"site":"https://docs.example"');
      expect(line).not.toContain(PAGE);
    }
    expect(await metrics.text()).toContain('vitrine_policy_actions_total{action="bypass",outcome="done"} 1');

    const pair = async (url: string, cookie: string, who = 'anna') =>
      (await post('/r/pair', pairRequest(url), { cookie: `_sc_bypass=${cookie}`, 'x-person': who })).body;
    const token = String(body['token']);
    expect(await pair(PAGE, token)).toEqual({ direct_access: PAGE });
    const isolated = { ...pairRequest(PAGE), force_isolate: true };
    expect(
      (await post('/r/pair', isolated, { cookie: `_sc_bypass=${token}`, 'x-person': 'anna' })).body,
    ).not.toHaveProperty('direct_access');
    for (const [url, cookie, who] of [
      ['https://other.example/', token, 'anna'],
      [PAGE, token, 'ben'],
      [PAGE, token.replace(/^\d+/, (until) => String(Number(until) + 1)), 'anna'],
      [PAGE, 'nonsense', 'anna'],
    ] as const)
      expect(await pair(url, cookie, who), `${url} ${who}`).toHaveProperty('safe_rid');
    // A tab that is loaded again leaves its surrogate.
    const repair = async (cookie: string, more = {}) => {
      const asked = { ...pairRequest(PAGE), tab_id: 't', safe_rid: 'r', ...more };
      return (await post('/r/repair?cid=c', asked, { cookie: `_sc_bypass=${cookie}`, 'x-person': 'anna' })).body;
    };
    expect(await repair('nonsense')).toHaveProperty('safe_rid');
    expect(await repair(token, { force_isolate: true })).toHaveProperty('safe_rid');
    expect(unpaired).toEqual([]);
    expect(await repair(encodeURIComponent(`${token} docs.example`))).toEqual({ direct_access: PAGE });
    expect(unpaired).toEqual([['anna', 'r']]);
    now += BYPASS_MS + 1;
    expect(await pair(PAGE, token)).toHaveProperty('safe_rid');
    // At each port: cookies go to all of them.
    const atPort = await post('/r/policy/bypass?cid=c&cl=x', { url: 'https://docs.example:8443/', host: 'localhost' });
    expect(atPort.body).toEqual({ token: expect.any(String), domain: 'docs.example' });
  });

  it('lets read-only be left where the policy lets it, for that person and site', async () => {
    const entry = async () => (await query(['entry_action']))['entry_action'];
    expect(await entry()).toBe('read_only');
    const exit = {
      url: PAGE,
      host: 'localhost',
      safe_rid: 'r',
      tab_id: 't',
      exit_mode: 'coach',
      persistent_policy: {},
    };
    const changed: (string | undefined)[] = [];
    const undo = policy.onChange((whose) => changed.push(whose?.subject));
    const { body } = await post('/r/policy/readonly_exit?cid=c', exit);
    undo();
    expect(changed).toEqual(['anna']);
    expect(body).toMatchObject({ persistent_policy: { entry_action: 'read_write', user_experience_banner: 'coach' } });
    expect(await entry()).toBe('read_write');
    expect((await query(['entry_action'], 'https://other.example/'))['entry_action']).toBe('read_only');
    expect(policy.decide({ ...person, subject: 'ben' }, PAGE).settings.persistent_policy.entry_action).toBe(
      'read_only',
    );
  });

  it('logs as many actions as one person may cause lines, and those of others', async () => {
    const actions = (): number => lines.filter((line) => line.includes('policyAction')).length;
    const before = actions();
    const act = (who: string) => post('/r/policy/bypass', { url: PAGE, host: 'h'.repeat(300) }, { 'x-person': who });
    for (let count = 0; count < 1000; count += 1) await act('flood');
    const kept = actions() - before;
    expect(kept).toBeGreaterThan(100);
    expect(kept).toBeLessThan(900);
    await act('other');
    expect(actions() - before).toBe(kept + 1);
    expect(await metrics.text()).toMatch(/^vitrine_faults_total\{from="client",code="lines-dropped"\} [1-9]\d*$/m);
  });

  it('[S-112] refuses what the policy does not offer, and actions that there are none of', async () => {
    policy.replace(
      parsed(
        'tenants: { default: { policy: { persistent_policy: { entry_action: read_only, upgrade_action: none } } } }',
        'p',
      ),
    );
    for (const action of ['bypass', 'readonly_exit', 'constructor', 'query2'])
      expect((await post(`/r/policy/${action}`, { url: PAGE })).status, action).not.toBe(200);
    expect(policy.decide(person, PAGE).settings.persistent_policy.entry_action).toBe('read_only');
    expect(await metrics.text()).toContain('vitrine_policy_actions_total{action="readonly_exit",outcome="refused"} 1');
  });
});
