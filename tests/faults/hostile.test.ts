import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { LANES } from '../../core/protocol/lanes.ts';
import { ChannelStage } from './channel-stage.ts';
import type { PlayedClient, PlayedTab } from './channel-stage.ts';
import { PATIENCE_MS } from '../../core/testing/patience.ts';

let stage: ChannelStage;
let tab: PlayedTab;
let client: PlayedClient;
/** Another person, who must not be affected. */
let bystander: PlayedTab;
let other: PlayedClient;

const until = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: PATIENCE_MS, interval: 5 });

beforeEach(async () => {
  stage = await ChannelStage.start();
  tab = stage.tab('c1');
  bystander = stage.tab('c2');
  other = stage.client({ cid: 'c2' });
  client = stage.client({ cid: 'c1' });
  await until(() => {
    expect([client.channel.status, other.channel.status]).toEqual(['connected', 'connected']);
  });
});

afterEach(async () => {
  bystander.channel.send('view', ['down', 'still here']);
  other.channel.send('input', ['up', 'still here']);
  await until(() => {
    expect(other.packets).toEqual([['view', ['down', 'still here', 0]]]);
    expect(bystander.packets).toEqual([['up', 'still here', 0]]);
  });
  expect(other.statuses).toEqual(['connected']);
  expect(bystander.faults).toEqual([]);
  await stage.close();
});

const QUERY = { cid: 'c1', rid: 'r1', tab_id: 't1', cl: 'local', chid: 'evil', msg_nr: '0', xid: 'x1' };

/** A websocket of the test's own, with its close code. */
function socket(query: Partial<typeof QUERY> = {}, cookie = 'anna') {
  const address = `${stage.shaper.origin.replace('http', 'ws')}/r/websocket?${new URLSearchParams({ ...QUERY, ...query })}`;
  const made = new WebSocket(address, { headers: { cookie: `vitrine_person=${cookie}` } });
  const closed = new Promise<string>((resolve) => {
    made.on('close', (code, reason) => resolve(`${code} ${reason.toString()}`));
    made.on('error', () => undefined);
  });
  const open = new Promise<void>((resolve) => {
    made.once('message', () => resolve());
  });
  return { made, closed, open };
}

const poll = (path: string, query: Record<string, string> = {}, body?: string, cookie = 'anna'): Promise<Response> =>
  fetch(`${stage.shaper.origin}/r/${path}?${new URLSearchParams({ ...QUERY, ...query })}`, {
    method: 'POST',
    headers: { cookie: `vitrine_person=${cookie}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body }),
  });

describe('another person', () => {
  it('[M-077] who knows all ids of a session gets session-not-found, by websocket', async () => {
    expect(await socket({}, 'eve').closed).toBe('4404 session not found');
    expect(await stage.refusals('session-not-found')).toBe(1);
    expect(client.statuses).toEqual(['connected']);
  });

  it('[M-077] who replays the ids of a polling channel can neither pull nor push', async () => {
    const polling = stage.client({ cid: 'c1', only: 'xhr', config: { wsMaxRetries: 0 } });
    await until(() => {
      expect(polling.channel.status).toBe('connected');
    });
    polling.channel.send('input', ['up', 1]);
    await until(() => {
      expect(tab.packets).toHaveLength(1);
    });
    const replay = (path: string): Promise<Response> => {
      const target = stage.requests.findLast((each) => each.startsWith(`POST /r/${path}?`))?.split('?')[1];
      return poll(
        path,
        Object.fromEntries(new URLSearchParams(target)),
        path === 'push' ? '[[2,2,"up",2]]' : undefined,
        'eve',
      );
    };
    expect((await replay('push')).status).toBe(409);
    expect((await replay('p')).status).toBe(409);
    expect((await poll('p', { tms: '0', pull: '1' }, undefined, 'eve')).status).toBe(404);
    expect(tab.packets).toHaveLength(1);
    expect(await stage.refusals('poll-lost')).toBe(2);
    expect(polling.statuses.at(-1)).toBe('connected');
  });
});

describe('a client that violates the protocol', () => {
  it.each<[string, string | Buffer, string]>([
    ['bytes', Buffer.from([1, 2, 3]), '4400 binary upstream'],
    ['text that is no JSON', '{"ack":', '4400 not JSON'],
  ])('is refused for %s', async (_what, data, reason) => {
    const { made, open, closed } = socket();
    await open;
    made.send(data);
    expect(await closed).toBe(reason);
    expect(await stage.refusals('bad-frame')).toBe(1);
  });

  it('is refused for a text that is too large', async () => {
    const { made, open, closed } = socket();
    await open;
    made.send(`"${'x'.repeat(1024 * 1024)}"`);
    expect(await closed).toBe('1009 ');
    await until(async () => {
      expect(await stage.refusals('bad-frame')).toBe(1);
    });
  });

  it.each<[string, Partial<typeof QUERY>]>([
    ['no number of messages', { msg_nr: 'x' }],
    ['a name with a path in it', { cid: '../c1' }],
    ['no channel', { chid: '' }],
  ])('is refused for %s', async (_what, query) => {
    expect(await socket(query).closed).toBe('4400 bad-message');
    expect(await stage.refusals('bad-message')).toBe(1);
    expect((await poll('p', { ...query, tms: '0', pull: '1' })).status).toBe(400);
    expect((await poll('push', query, '[]')).status).toBe(400);
    expect(client.statuses).toEqual(['connected']);
  });

  it('is refused when it acknowledges messages that were never sent', async () => {
    expect(await socket({ msg_nr: '7' }).closed).toBe('4400 bad-sequence');
    expect((await poll('p', { msg_nr: '7', tms: '0', pull: '1' })).status).toBe(400);
    expect(await stage.refusals('bad-sequence')).toBe(2);
    expect(client.statuses).toEqual(['connected']);
  });

  it.each<[string, unknown]>([
    ['leaves out a number', [2, LANES.input, 'up', 1]],
    ['acknowledges what was never sent', { ack: 99 }],
    ['asks for what was never sent', { srm: 99 }],
  ])('is disconnected when it %s', async (_what, message) => {
    const { made, open, closed } = socket();
    await open;
    made.send(JSON.stringify(message));
    expect(await closed).toBe('1000 bad-sequence');
    expect(tab.faults).toEqual(['bad-sequence']);
    expect(tab.packets).toEqual([]);
  });

  it('is ignored when it repeats a message', async () => {
    const { made, open } = socket();
    await open;
    for (let n = 0; n < 3; n += 1) made.send(JSON.stringify([1, LANES.input, 'up', 1]));
    made.send(JSON.stringify([2, LANES.input, 'up', 2]));
    await until(() => {
      expect(tab.packets.map(([, params]) => params)).toEqual([1, 2]);
    });
  });

  it.each([
    ['are not a list', '{"ack":0}'],
    ['are no JSON', '[{"ack":'],
    ['are too long', JSON.stringify(Array(2001).fill({ ack: 0 }))],
  ])('loses a poll whose pushes %s', async (_what, body) => {
    expect((await poll('p', { tms: '0', pull: '1' })).status).toBe(200);
    expect((await poll('push', {}, body)).status).toBe(200); // the cell reads it later
    await until(async () => {
      expect((await poll('push', {}, '[]')).status).toBe(409);
    });
    expect(tab.packets).toEqual([]);
  });

  it('is refused pushes of too many bytes', async () => {
    expect((await poll('p', { tms: '0', pull: '1' })).status).toBe(200);
    const tooLarge = poll('push', {}, `["${'x'.repeat(5 * 1024 * 1024)}"]`);
    expect([413, 'reset']).toContain(await tooLarge.then(({ status }) => status).catch(() => 'reset')); // before it is all sent
    expect((await poll('push', {}, '[[1,2,"up",1]]')).status).toBe(200);
    await until(() => {
      expect(tab.packets).toHaveLength(1);
    });
  });

  it('is refused pulls of a poll that has not started, or has ended', async () => {
    expect((await poll('p', { tms: '0', pull: '2' })).status).toBe(409);
    expect((await poll('push', {}, '[]')).status).toBe(409);
    expect((await poll('p', { tms: '0', pull: '1' })).status).toBe(200);
    expect((await poll('p', { tms: '0', pull: '3' })).status).toBe(409);
    expect((await poll('p', { tms: '0', pull: '2' })).status).toBe(409);
    expect(await stage.refusals('poll-lost')).toBe(4);
  });
});
