import { describe, expect, it, vi } from 'vitest';
import { linkPair, memorySocketPair } from './memory.ts';
import { linkPeer } from '../peer.ts';
import type { LinkPeer } from '../peer.ts';
import { pattern } from './far-side.ts';
import { eventually, LINKS, processLink } from './links.ts';
import { PATIENCE_MS } from '../../../core/testing/patience.ts';

const ended = async (peer: LinkPeer): Promise<{ code: string; message: string }> => {
  await eventually(() => expect(peer.closed.aborted).toBe(true));
  return peer.closed.reason as { code: string; message: string };
};

/** Everything that can be under way on a link. */
async function underWay(
  peer: LinkPeer,
): Promise<{ readonly all: Promise<unknown[]>; readonly returned: () => boolean }> {
  let isReturned = false;
  async function* source(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) yield pattern(1000);
    } finally {
      isReturned = true;
    }
  }
  const { body } = await peer.call('generate', { bytes: 50_000_000, chunk: 1000 });
  const streams = [peer.open('hold', {}), peer.open('echo', {})];
  for (const stream of streams) for (let at = 0; at < 5; at++) stream.send(pattern(200_000));
  const reading = (async () => {
    for await (const chunk of body ?? []) if (chunk.length > 100_000) break;
  })();
  const all = [
    peer.call('hang', null),
    peer.call('measure', null, { body: source() }),
    reading,
    ...streams.map(async (stream) => {
      await vi.waitFor(() => expect(stream.closed.aborted).toBe(true), { timeout: PATIENCE_MS });
      throw Object.assign(new Error(), { code: stream.closeReason });
    }),
  ];
  const codes = all.map((one) =>
    one.then(() => 'completed').catch((error: unknown) => (error as { code: string }).code),
  );
  return { all: Promise.all(codes), returned: () => isReturned };
}

describe.each(LINKS)('the end of %s', (_name, connect) => {
  it('reaches the other side with its reason when this side closes', async () => {
    const { peer, child } = connect();
    const { all, returned } = await underWay(peer);
    const exited = child && new Promise((resolve) => child.once('exit', resolve));
    peer.close('drained');
    expect(await all).toEqual(Array.from({ length: 5 }, () => 'link-closed'));
    expect(peer.closed.reason).toMatchObject({ code: 'link-closed', message: 'drained' });
    await eventually(() => expect(returned()).toBe(true));
    await exited;
    await expect(peer.call('echo', 1)).rejects.toMatchObject({ code: 'link-closed' });
    await expect(peer.ping(100)).rejects.toMatchObject({ code: 'link-closed' });
    expect(() => peer.open('echo', {})).toThrow('drained');
    peer.notify('note', 1);
    peer.close('again');
  });

  it('rejects all that is under way when the other side closes', async () => {
    const { peer } = connect();
    const { all, returned } = await underWay(peer);
    await peer.call('leave', 'moved away');
    expect(await ended(peer)).toMatchObject({ code: 'link-closed', message: 'moved away' });
    expect(await all).toEqual(Array.from({ length: 5 }, () => 'link-closed'));
    await eventually(() => expect(returned()).toBe(true));
  });
});

describe('the end of a process', () => {
  it.each(['SIGKILL', 'exit'])('rejects all that is under way after %s', async (way) => {
    const { peer, child } = processLink();
    const { all, returned } = await underWay(peer);
    if (way === 'exit') peer.call('exit', null).catch(() => undefined);
    else child.kill('SIGKILL');
    expect((await ended(peer)).code).toMatch(/^link-(closed|broken)$/);
    const codes = await all;
    expect(codes).toHaveLength(5);
    for (const code of codes) expect(code).toMatch(/^link-(closed|broken)$/);
    await eventually(() => expect(returned()).toBe(true));
  });
});

describe('two sides', () => {
  it('refuse each other when their bounds of the wire differ', async () => {
    const [near, far] = memorySocketPair();
    const peers = [linkPeer(near), linkPeer(far, { limits: { windowBytes: 1 } })];
    const codes = await Promise.all(peers.map(async (peer) => (await ended(peer)).code));
    expect(codes).toContain('link-version');
  });

  it('are the same: both may call, open and notify, with ids of their own', async () => {
    const [near, far] = linkPair({ seed: 4, delayMs: 1 });
    near.handle('name', () => ({ value: 'near' }));
    far.handle('name', async () => ({ value: `far of ${String((await far.call('name', null)).value)}` }));
    const answers = await Promise.all(Array.from({ length: 10 }, () => near.call('name', null)));
    expect(answers.map(({ value }) => value)).toEqual(Array.from({ length: 10 }, () => 'far of near'));
    expect(() => near.handle('name', () => ({}))).toThrow('taken already');
    near.close('done');
    await ended(far);
  });

  it('remove handlers, listeners and acceptors', async () => {
    const [near, far] = linkPair();
    const got: unknown[] = [];
    const undo = [
      far.handle('name', () => ({ value: 1 })),
      far.on('note', (params) => got.push(params)),
      far.accept('stream', () => undefined),
    ];
    near.notify('note', 1);
    expect((await near.call('name', null)).value).toBe(1);
    for (const one of undo) one();
    near.notify('note', 2);
    await expect(near.call('name', null)).rejects.toMatchObject({ code: 'link-unknown-method' });
    const stream = near.open('stream', {});
    await eventually(() => expect(stream.closeReason).toBe('link-unknown-stream'));
    expect(got).toEqual([1]);
    near.close('done');
  });

  it('report errors that have no caller, at most a hundred', async () => {
    const faults: string[] = [];
    const [near, far] = linkPair({
      onFault: (error, where) => faults.push(`${where}: ${error.code} ${error.message}`),
    });
    far.on('note', () => {
      throw new Error('no listener of mine');
    });
    near.notify('note', 1);
    near.notify('unknown', 1);
    await near.ping(PATIENCE_MS);
    expect(faults).toEqual([
      'note: internal no listener of mine',
      'notice: link-unknown-notice Nobody listens to a notice.',
    ]);
    for (let at = 0; at < 500; at++) near.notify('unknown', 1);
    await near.ping(PATIENCE_MS);
    expect(faults).toHaveLength(100);
    near.close('done');
  });
});
