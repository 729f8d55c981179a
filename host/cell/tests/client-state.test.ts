import { beforeEach, describe, expect, it } from 'vitest';
import { ClientState } from '../tab/client-state.ts';

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
});
