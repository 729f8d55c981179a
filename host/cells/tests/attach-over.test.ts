import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Channel } from '../../cell/channel/channel.ts';
import { serveChannel } from '../../cell/channel/serve-channel.ts';
import type { AttachedChannel, TransportEnd } from '../../contracts/link.ts';
import type { LinkPeer } from '../../link/api.ts';
import { linkPeer } from '../../link/peer.ts';
import { unixSocketPair } from '../../link/tests/unix-socket.ts';
import { attachOver } from '../attach-over.ts';
import { CHANNEL_STREAM, jsonBody } from '../protocol.ts';

type Attach = Parameters<typeof serveChannel>[0];

const names = (chid: string) => ({ cid: 'c', tabId: 't', chid, received: 0 });

function channel(): Channel {
  const ignore = (): void => undefined;
  return new Channel({
    onPacket: ignore,
    onPiece: ignore,
    onRoom: ignore,
    onAttached: ignore,
    onDetached: ignore,
    onLagging: ignore,
    onFault: ignore,
  });
}

describe('a transport that is attached over a link', () => {
  let gateway: LinkPeer;
  let cell: LinkPeer;
  let closed: string[];
  beforeEach(async () => {
    const [near, far] = await unixSocketPair();
    [gateway, cell] = [linkPeer(near), linkPeer(far)];
    closed = [];
  });
  afterEach(() => gateway.close('done'));

  const serve = (attach: Attach, onChange?: () => void): void => {
    cell.accept(CHANNEL_STREAM, (params, stream) => serveChannel(attach, params, stream, onChange));
  };
  const transport = (name: string): TransportEnd => ({
    send: () => Promise.resolve(),
    close: (reason) => void closed.push(`${name}: ${reason}`),
  });
  const attach = (name: string): Promise<AttachedChannel | undefined> =>
    attachOver(gateway, names(name), transport(name));
  const noStreams = () => expect.poll(() => [gateway.load.opened, cell.load.accepted]).toEqual([0, 0]);

  it('is closed when another takes its place in the same moment', async () => {
    const tab = channel();
    serve(({ chid, received }, end) => tab.attach(chid, received, end));
    const [first, second] = await Promise.all([attach('first'), attach('second')]);
    expect([first, second]).toEqual([expect.anything(), expect.anything()]);
    await expect.poll(() => closed).toEqual(['first: replaced']);
    second?.detach('left');
    await noStreams();
    expect(closed).toEqual(['first: replaced']);
    tab.close('done');
  });

  it('is closed when its tab ends right after the attachment', async () => {
    const tab = channel();
    let isAttached = false;
    serve(
      ({ chid, received }, end) => tab.attach(chid, received, end),
      () => {
        isAttached = tab.attached;
        tab.close('tab over');
      },
    );
    expect(await attach('only')).toBeDefined();
    await expect.poll(() => closed).toEqual(['only: tab over']);
    await noStreams();
    expect(isAttached).toBe(false); // it has heard of the end too
  });

  it('is attached and then closed with the reason when the attachment itself ends the tab', async () => {
    const detached: string[] = [];
    serve((_names, end) => {
      end.close('too late');
      return { receive: () => undefined, detach: (reason) => void detached.push(reason) };
    });
    expect(await attach('only')).toBeDefined();
    await expect.poll(() => closed).toEqual(['only: too late']);
    expect(detached).toEqual(['too late']);
    await noStreams();
  });

  it('is told of nothing once the gateway itself has detached it', async () => {
    const tab = channel();
    serve(({ chid, received }, end) => tab.attach(chid, received, end));
    const attached = await attach('only');
    attached?.detach('left');
    await noStreams();
    expect(closed).toEqual([]);
    expect(tab.attached).toBe(false);
    tab.close('done');
  });

  it('is refused with the reason that the session does not respond where no answer comes, and its stream is closed', async () => {
    cell.accept(CHANNEL_STREAM, (_params, stream) => stream.onChunk(() => undefined));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const attached = attach('waiting');
    attached.catch(() => undefined); // awaited below
    vi.advanceTimersByTime(10_000);
    await expect(attached).rejects.toMatchObject({ code: 'link-timeout', retryable: true });
    vi.useRealTimers();
    await noStreams();
    expect(closed).toEqual([]);
  });

  it('is closed, and so is its stream, when its client sends more than the cell reads', async () => {
    cell.accept(CHANNEL_STREAM, (_params, stream) => {
      stream.send(jsonBody({ state: 'attached' }));
      stream.onChunk(() => new Promise(() => undefined)); // reads nothing more
    });
    const attached = await attach('flooding');
    const message = Buffer.alloc(1024 * 1024, '"');
    for (let sent = 0; sent < 15; sent++) attached?.receive(message);
    expect(closed).toEqual([]);
    for (let sent = 0; sent < 5; sent++) attached?.receive(message);
    await expect.poll(() => closed).toEqual(['flooding: flood']);
  });
});
