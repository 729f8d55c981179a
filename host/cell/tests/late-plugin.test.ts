import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PLUGIN_API } from '../../../core/contracts/manifest.ts';
import type { AnyManifest } from '../../../core/contracts/manifest.ts';
import { getPersistentPolicy } from '../../../core/protocol/core-messages.ts';
import { AppError } from '../../../core/protocol/errors.ts';
import { message } from '../../../core/protocol/message.ts';
import { PATIENCE_MS } from '../../../core/testing/patience.ts';
import { QUEUE_MAX_MESSAGES } from '../channel/channel.ts';
import { KeptPackets } from '../../plugins/kept-packets.ts';
import type { RegisteredPlugin } from '../../plugins/registry.ts';
import { ANNA, BEN, browse, pairRequest, policyOf, serveSite, startWorker, TestClient } from './harness.ts';

const anything = v.object({});
const early = message('late.early', { direction: 'page-to-host', params: anything });
const later = message('late.later', { direction: 'page-to-host', params: anything });
const ask = message('late.ask', {
  direction: 'client-to-host',
  params: anything,
  result: v.object({ text: v.string() }),
});
const told = message('flooding.told', { direction: 'host-to-client', params: anything });

const manifestOf = (id: string, protocol: AnyManifest['protocol'], capability: string): AnyManifest => ({
  id,
  version: '1.0.0',
  api: PLUGIN_API,
  description: 'x',
  activation: 'boot',
  ...(protocol && { protocol }),
  capability,
});
const late = manifestOf('late', { early, later, ask }, 'late');
const flooding = manifestOf('flooding', { told }, 'flooding');

describe('a host half', () => {
  let site: Awaited<ReturnType<typeof serveSite>>;
  let started: Awaited<ReturnType<typeof startWorker>>;
  const heard: string[] = [];
  let flood = (): void => undefined;
  /** Lets the slow half go on. */
  const gate = Promise.withResolvers<void>();

  const plugin = (manifest: AnyManifest, activate: RegisteredPlugin['activate']): RegisteredPlugin => ({
    manifest,
    folder: manifest.id,
    external: false,
    ...(activate && { activate }),
  });

  beforeAll(async () => {
    site = await serveSite(() => '<!doctype html><p>hello');
    const plugins = [
      plugin(late, async ({ commands, page }) => {
        await gate.promise;
        page.handle(later, () => void heard.push('later'));
        page.handle(early, () => void heard.push('early'));
        commands.handle(ask, () => ({ text: 'at last' }));
      }),
      plugin(flooding, ({ commands }, { onEnd }) => {
        flood = () => {
          for (let i = 0; i <= QUEUE_MAX_MESSAGES; i++) commands.send(told, {});
          onEnd(new AppError('plugin-flood', 'too much'));
        };
      }),
    ];
    const policy = await policyOf(
      `tenants: { default: { users: {
        anna: { policy: { capabilities: { flooding: false } } }, ben: { policy: { capabilities: { late: false } } } } } }`,
      plugins,
    );
    started = await startWorker({ plugins, policy });
  });
  afterAll(async () => {
    await started.stop();
    site.close();
  });

  it('that is slow to activate gets earlier messages of page and client, in order', async () => {
    const url = site.url('one.test', '/?says=late.early&says=late.later&says=late.early');
    const client = new TestClient(started.worker, ANNA, await started.worker.pair(ANNA, pairRequest(url)), [late]);
    await client.attach();
    await client.hears('load-state', ({ state }) => state === 'ready');
    expect(heard).toEqual([]);
    const answer = client.endpoint.call(ask, {}, { deadlineMs: PATIENCE_MS });
    client.endpoint.send(getPersistentPolicy, {});
    await client.hears('persistent-policy'); // the question before has come, too
    gate.resolve();
    expect(await answer).toEqual({ text: 'at last' });
    expect(heard).toEqual(['early', 'later', 'early']);
    expect(started.log.lines.map(([, line]) => line).join('\n')).not.toContain('nobody handles');
  });

  it('that is ended for a flood is withdrawn from a client that was disconnected by the flood', async () => {
    const client = await browse(started.worker, site.url('two.test'), BEN);
    await client.hears('load-state', ({ state }) => state === 'ready');
    flood();
    await client.until(() => client.closed === 'overflow', 'the end of the transport');
    await client.attach();
    await client.hears('plugin-withdrawn', ({ id }) => id === 'flooding');
  });
});

describe('the queue for a host half', () => {
  it('is bounded in number and size, and exists only during activation', () => {
    const kept = new KeptPackets();
    const again = (): void => undefined;
    expect(kept.keep('late', ['late.early', {}], again)).toBe(false);
    kept.begin('late');
    expect(kept.keep('late', ['late.early', 'x'.repeat(1024 * 1024)], again)).toBe(false);
    const taken = Array.from({ length: 1000 }, () => kept.keep('late', ['late.early', {}], again));
    expect(taken.filter(Boolean)).toHaveLength(200);
    expect(kept.keep('other', ['other.early', {}], again)).toBe(false);
    kept.end('late');
    expect(kept.keep('late', ['late.early', {}], again)).toBe(false);
  });
});
