import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ActivateHost, ActivateSession, CdpBroker, Frames, SessionScope } from '../../host/plugin.ts';
import { messagesOf } from '../../core/contracts/manifest.ts';
import type { AnyManifest } from '../../core/contracts/manifest.ts';
import type { AnyMessage, Direction } from '../../core/protocol/message.ts';
import { pluginHarness } from '../../core/testing/harness.ts';
import type { PluginHarness } from '../../core/testing/harness.ts';
import { openBrowser } from '../../core/testing/script-page.ts';
import type { TestBrowser } from '../../core/testing/script-page.ts';
import { buildHalves, HalvesPage } from './halves-page.ts';
import { PLUGINS } from './plugin-folders.ts';
import { Watch } from './watch.ts';

/** Services that the core provides itself. */
const OF_CORE = ['vitrine.helper', 'vitrine.hooks', 'vitrine.input', 'vitrine.policy', 'vitrine.texts'];

/** The services of the core's own that every tab has. */
const ofTab = pluginHarness(PLUGINS[0]?.manifest as AnyManifest).hostServices.names(); // there are some

/** A session half on a surrogate that is asked for nothing while halves are activated. */
async function activateSession(entry: string, { host }: PluginHarness): Promise<void> {
  const file = path.join(path.dirname(entry), 'session.ts');
  if (!existsSync(file)) return;
  const { activateSession: activate } = (await import(pathToFileURL(file).href)) as {
    activateSession: ActivateSession;
  };
  const asked = (): never => {
    throw new Error('a session half asks for the surrogate before it is needed');
  };
  const listen = (): (() => void) => () => undefined;
  const session: SessionScope['session'] = {
    cid: 'cid',
    person: 'anna',
    policy: host.tab.policy,
    tabs: () => [],
    onOpened: listen,
    onClosed: listen,
  };
  const surrogate: SessionScope['surrogate'] = {
    openExtensionPage: asked,
    setPermission: asked,
    tabsInWindow: asked,
    onRenewed: listen,
    onDownload: () => () => undefined,
    stage: () => Promise.reject(new Error('no files here')),
    mostStaged: () => Infinity,
    onExtensionCall: listen,
  };
  const { plugin, log, services, service, options, records, signal, onDispose } = host;
  await activate({ plugin, log, services, service, options, records, signal, onDispose, session, surrogate });
}

/** A host half at work, between a client and a page that nobody plays. */
interface HostHalf {
  readonly harness: PluginHarness;
  readonly watch: Watch;
  /** Messages that it handles, by who they come from. */
  readonly fromClient: readonly string[];
  readonly fromPage: readonly string[];
  readonly cdpEvents: readonly string[];
}

async function activateHost(manifest: AnyManifest, entry: string): Promise<HostHalf> {
  const { activate } = (await import(pathToFileURL(entry).href)) as { activate: ActivateHost };
  const harness = pluginHarness(manifest);
  harness.page.in(1);
  await activateSession(entry, harness);
  const { host } = harness;
  const [watch, page, cdp] = [new Watch(), new Watch(), new Watch()];
  const heard =
    (on: CdpBroker['on']): CdpBroker['on'] =>
    (event, listener) => {
      cdp.seen.tapped.push(event);
      return on(event, watch.callback(event, listener));
    };
  const told =
    (name: 'onReady' | 'onNavigated' | 'onGone'): Frames['onReady'] & Frames['onGone'] =>
    (listener: (given: never) => void) =>
      (host.frames[name] as (each: (given: never) => void) => () => void)(watch.callback(name, listener)); // whichever
  await activate({
    ...host,
    commands: { ...host.commands, handle: watch.handle(host.commands.handle) },
    page: { ...host.page, handle: page.handle(host.page.handle) },
    hooks: { tap: watch.tap(host.hooks.tap) },
    cdp: { ...host.cdp, on: heard(host.cdp.on) },
    frames: { ...host.frames, onReady: told('onReady'), onNavigated: told('onNavigated'), onGone: told('onGone') },
  });
  return {
    harness,
    watch,
    fromClient: watch.seen.handled,
    fromPage: page.seen.handled,
    cdpEvents: cdp.seen.tapped,
  };
}

const named = (messages: readonly AnyMessage[], direction: Direction): string[] =>
  messages.filter((message) => message.direction === direction).map(({ name }) => name);

let browser: TestBrowser;
let page: HalvesPage;
beforeAll(async () => {
  const [scripts, opened] = await Promise.all([buildHalves(), openBrowser()]);
  browser = opened;
  page = await HalvesPage.open(browser, scripts);
});
afterAll(() => browser.close());

describe.each(PLUGINS)('the halves of $id', ({ id, manifest, messages, halves }) => {
  it('handle each message once, where its direction leads, and do what the manifest says', async () => {
    const host = halves.host ? await activateHost(manifest, halves.host) : undefined;
    expect([...(host?.fromClient ?? [])].sort()).toEqual(named(messages, 'client-to-host').sort());
    expect([...(host?.fromPage ?? [])].sort()).toEqual(named(messages, 'page-to-host').sort());
    for (const half of ['client', 'page'] as const) {
      if (!halves[half]) continue;
      await page.renew(id);
      const { handled, tapped, asked, provided, faults } = await page.activate(half, id);
      expect(faults).toEqual([]);
      expect(handled.sort()).toEqual(named(messages, half === 'client' ? 'host-to-client' : 'host-to-page').sort());
      if (half === 'page') continue;
      expect(tapped.sort()).toEqual([...(manifest.hooks ?? [])].sort());
      const byHost = (host?.harness.hostServices.names() ?? []).filter((name) => !ofTab.includes(name));
      expect([...provided, ...byHost].sort()).toEqual([...(manifest.provides ?? [])].sort());
      for (const name of asked) expect([...OF_CORE, ...(manifest.requires ?? [])]).toContain(name);
    }
  });

  const { host: entry } = halves;
  if (entry !== undefined)
    it('leave nothing behind in the host', async () => {
      const { harness, watch, cdpEvents } = await activateHost(manifest, entry);
      harness.disposeHost();
      watch.over = true;
      expect(harness.cdp.enabled).toEqual([]);
      expect(harness.hostServices.names()).toEqual(ofTab);
      const { clientAttached, lagging, navigated, navigationFailed, replaced } = harness.hostHooks;
      clientAttached.call({ fresh: true });
      lagging.call({ lagging: true });
      replaced.call({ reason: 'crashed' });
      navigated.call({ frame: 1, url: 'https://site.test/2', sameDocument: false });
      navigationFailed.call({ frame: 1, url: 'https://site.test/2', errorText: 'net::ERR_FAILED' });
      for (const event of cdpEvents) harness.cdp.emit(event, {});
      harness.frames.load({ id: 1, url: 'https://site.test/3' });
      harness.frames.remove(1);
      expect(watch.seen.late).toEqual([]);
      for (const message of messagesOf(manifest)) {
        expect(() => harness.host.commands.handle(message, () => undefined as never)).not.toThrow();
        expect(() => harness.host.page.handle(message, () => undefined as never)).not.toThrow();
      }
    });

  for (const half of (['client', 'page'] as const).filter((name) => halves[name]))
    it(`leave nothing behind in the ${half}`, async () => {
      await page.renew(id);
      const before = await page.traces();
      await page.activate(half, id);
      expect(await page.dispose()).toEqual({ late: [], handled: [], provided: [], filled: 0, kernel: 0 });
      expect(await page.traces()).toEqual(before);
    });
});
