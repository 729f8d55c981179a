import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { pattern } from './far-side.ts';
import { eventually, processLink } from './links.ts';
import type { TestLink } from './links.ts';
import { PATIENCE_MS } from '../../../core/testing/patience.ts';

const MIB = 1 << 20;
const held = (): number => process.memoryUsage().rss;

describe('a peer whose process is stopped', () => {
  let child: ChildProcess | undefined;
  afterEach(() => child?.kill('SIGKILL'));
  async function stopped(limits = {}): Promise<TestLink> {
    const link = processLink(limits);
    child = link.child;
    await link.peer.ping(PATIENCE_MS);
    child.kill('SIGSTOP');
    return link;
  }

  it('ends the link as stalled once control frames pass their bound, and costs no more memory than that', async () => {
    const { peer } = await stopped();
    const before = held();
    const text = 'x'.repeat(50_000);
    let sent = 0;
    for (; sent < 20_000 && !peer.closed.aborted; sent++) {
      peer.notify('note', text);
      if (sent % 20 === 0) await sleep(0);
    }
    expect(peer.closed.reason).toMatchObject({ code: 'link-stalled' });
    expect(sent * text.length).toBeLessThan(20 * MIB);
    expect(held() - before).toBeLessThan(150 * MIB);
    await expect(peer.call('echo', 1)).rejects.toMatchObject({ code: 'link-stalled' });
  });

  it('is noticed by a ping, while bodies wait at their sources', async () => {
    const { peer } = await stopped();
    let pulled = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) {
        pulled += 100_000;
        yield pattern(100_000);
      }
    }
    const calls = Array.from({ length: 10 }, () => peer.call('measure', null, { body: endless() }));
    const outcomes = Promise.all(calls.map((call) => call.catch((error: unknown) => (error as { code: string }).code)));
    const stream = peer.open('count', {});
    for (let at = 0; at < 10; at++) stream.send(pattern(100_000));
    await expect(peer.ping(500)).rejects.toMatchObject({ code: 'link-timeout' });
    expect(pulled).toBeLessThan(10 * 500_000);
    expect(stream.pending).toBe(1_000_000);
    expect(peer.closed.aborted).toBe(false);

    // A process that goes on is as it was.
    child?.kill('SIGCONT');
    expect(await peer.ping(PATIENCE_MS)).toBeGreaterThan(0);
    await eventually(() => expect(stream.pending).toBe(0));
    child?.kill('SIGSTOP');
    peer.close('it does not answer');
    expect(await outcomes).toEqual(Array.from({ length: 10 }, () => 'link-closed'));
  });

  it('does not hold back the end of this process’s socket', async () => {
    const { peer, socket } = await stopped();
    for (let at = 0; at < 100; at++) peer.notify('note', 'x'.repeat(10_000));
    peer.close('over');
    await eventually(() => expect(socket.destroyed).toBe(true));
  });
});
