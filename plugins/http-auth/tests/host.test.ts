import { describe, expect, it } from 'vitest';
import { pluginHarness } from '../../../core/testing/harness.ts';
import type { HarnessOptions } from '../../../core/testing/harness.ts';
import { Challenges, challengesToken } from '../host/challenges.ts';
import type { ChallengedRequest } from '../host/challenges.ts';
import { activate } from '../host/index.ts';
import { manifest } from '../manifest.ts';
import { challengeClose, challengeDismiss, challengeOpen } from '../protocol.ts';
import type { Challenge } from '../protocol.ts';

const CREDENTIALS = { username: 'ada', password: 'secret' };

async function start(options: HarnessOptions = {}) {
  const harness = pluginHarness(manifest, options);
  const { client, host, hostServices, flush } = harness;
  const challenges = new Challenges();
  hostServices.provide(challengesToken, challenges);
  const opened: Challenge[] = [];
  const closed: number[] = [];
  client.commands.handle(challengeOpen, (challenge) => void opened.push(challenge));
  client.commands.handle(challengeClose, ({ id }) => void closed.push(id));
  await activate(host);
  const ask = (more: Partial<ChallengedRequest> = {}) => {
    const over = new AbortController();
    const request = { origin: 'https://site.test', realm: 'Staff', isAgain: false, signal: over.signal, ...more };
    return { answer: challenges.ask(host.tab.id, request), over };
  };
  const dismiss = async (credentials: typeof CREDENTIALS | null): Promise<void> => {
    client.commands.send(challengeDismiss, { id: opened.at(-1)?.id ?? 0, credentials });
    await flush();
  };
  return { ...harness, opened, closed, ask, dismiss };
}

describe('a server that demands a password', () => {
  it('is shown to the person, whose answer goes to it', async () => {
    const { ask, flush, opened, dismiss, recorded } = await start();
    const { answer } = ask();
    await flush();
    expect(opened).toEqual([
      { id: 1, origin: 'https://site.test', realm: 'Staff', isSecure: true, isAgain: false, isOther: false },
    ]);
    await dismiss(CREDENTIALS);
    expect(await answer).toEqual(CREDENTIALS);
    expect(JSON.stringify(recorded)).not.toContain('secret');
  });

  it('is told apart from the page, and where it is not encrypted', async () => {
    const { ask, flush, opened } = await start();
    void ask({ origin: 'http://other.test:8080' });
    await flush();
    expect(opened[0]).toMatchObject({ isSecure: false, isOther: true });
  });

  it('gets no more than one line of its words, without controls', async () => {
    const { ask, flush, opened } = await start();
    void ask({ realm: `\u202egro.knab\u202c\n\u0007sure${'x'.repeat(200_000)}` });
    await flush();
    expect(opened[0]?.realm).toMatch(/^gro\.knab sure?x{1,200}$/);
  });

  it('is asked about once for all of its requests, and one at a time', async () => {
    const { ask, flush, opened, dismiss } = await start();
    const [first, second, other] = [ask(), ask(), ask({ origin: 'https://b.test' })];
    await flush();
    expect(opened).toHaveLength(1);
    await dismiss(CREDENTIALS);
    expect(await Promise.all([first.answer, second.answer])).toEqual([CREDENTIALS, CREDENTIALS]);
    expect(opened.map(({ origin }) => origin)).toEqual(['https://site.test', 'https://b.test']);
    await dismiss(null);
    expect(await other.answer).toBeUndefined();
  });

  it('closes the question when its request ends', async () => {
    const { ask, flush, closed } = await start();
    const { answer, over } = ask();
    await flush();
    over.abort();
    expect(await answer).toBeUndefined();
    await flush();
    expect(closed).toEqual([1]);
  });

  it('is not asked about again after three refusals, until the person acts in the page or loads it again', async () => {
    let actedAt = 0;
    const { ask, flush, opened, dismiss, hostHooks } = await start({ actedAt: () => actedAt });
    for (let times = 0; times < 3; times += 1) {
      const { answer } = ask();
      await flush();
      await dismiss(null);
      expect(await answer).toBeUndefined();
    }
    expect(await ask().answer).toBeUndefined();
    await flush();
    expect(opened).toHaveLength(3);
    actedAt = performance.now() + 1;
    void ask();
    await flush();
    expect(opened).toHaveLength(4);
    await dismiss(null);
    hostHooks.clientAttached.call({ fresh: true });
    void ask();
    await flush();
    expect(opened).toHaveLength(5);
  });

  it('[S-128] is asked about three times anew once the person has acted', async () => {
    let actedAt = 0;
    const { ask, flush, opened, dismiss } = await start({ actedAt: () => actedAt });
    const declineAll = async (): Promise<number> => {
      const before = opened.length;
      for (let times = 0; times < 5; times += 1) {
        const { answer } = ask();
        await flush();
        await dismiss(null);
        await answer;
        // Not in the same moment as the refusal.
        for (const at = performance.now(); performance.now() === at;);
      }
      return opened.length - before;
    };
    expect(await declineAll()).toBe(3);
    actedAt = performance.now();
    expect(await declineAll()).toBe(3);
  });

  it('is shown again to a reloaded client, and bounded in what waits', async () => {
    const { ask, flush, opened, hostHooks } = await start();
    const asked = Array.from({ length: 101 }, () => ask());
    expect(await asked[100]?.answer).toBeUndefined();
    hostHooks.clientAttached.call({ fresh: true });
    await flush();
    expect(opened.map(({ id }) => id)).toEqual([1, 1]);
  });
});
