import { beforeEach, describe, expect, it } from 'vitest';
import { clientDetach, resumeClientUpdate } from '../../../core/protocol/core-messages.ts';
import { ClientState } from '../tab/client-state.ts';
import { ANNA, browse, serveSite, startWorker, TestClient } from './harness.ts';

let lagging: boolean[];
let client: ClientState;
beforeEach(() => {
  lagging = [];
  client = new ClientState({
    tell: () => undefined,
    siteCapabilities: () => ({}),
    onLagging: (now) => void lagging.push(now),
  });
});

describe('updates of a tab', () => {
  it('[M-085] are held back from client-detach to resume_client_update, also where the channel lags and drains meanwhile', () => {
    client.holdBack('client', true);
    client.holdBack('channel', true);
    client.holdBack('channel', false);
    expect(lagging).toEqual([true]);
    client.holdBack('client', false);
    expect(lagging).toEqual([true, false]);
  });

  it('are held back while the channel lags, though the client goes on', () => {
    client.holdBack('channel', true);
    client.holdBack('client', true);
    client.holdBack('client', false);
    expect(lagging).toEqual([true]);
    client.holdBack('channel', false);
    expect(lagging).toEqual([true, false]);
  });

  it('[M-085] are held back by host halves while a client is detached, until it goes on or another one comes', async () => {
    const site = await serveSite(() => '<!doctype html><p>hello');
    const { worker, stop } = await startWorker();
    try {
      const client = await browse(worker, site.url('held.test'));
      const heard = (of: TestClient): unknown[] =>
        of.told.flatMap(({ what, data }) => (what === 'lagging' ? [data['lagging']] : []));
      await client.tellsOf('ready');
      client.endpoint.send(clientDetach, {});
      await client.ask('hi');
      expect(heard(client)).toEqual([true]);
      client.endpoint.send(resumeClientUpdate, {});
      await client.ask('hi');
      expect(heard(client)).toEqual([true, false]);
      client.endpoint.send(clientDetach, {});
      await client.ask('hi');
      expect(heard(client)).toEqual([true, false, true]);
      const reloaded = new TestClient(worker, ANNA, client.answer);
      await reloaded.attach('second');
      await reloaded.ask('hi');
      expect(heard(reloaded)).toEqual([false]);
    } finally {
      await stop();
      site.close();
    }
  });
});
