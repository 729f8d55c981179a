import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { MAIN_FRAME } from '../page/frames.ts';
import { PageSilence, SILENCE_MS } from '../tab/page-silence.ts';
import type { PageSilenceOptions } from '../tab/page-silence.ts';
import { ANNA, browse, serveSite, startWorker, TestClient } from './harness.ts';

describe('a page that does not get past its start', () => {
  let site: Awaited<ReturnType<typeof serveSite>>;
  let started: Awaited<ReturnType<typeof startWorker>>;
  const faults: string[] = [];
  beforeAll(async () => {
    site = await serveSite(() => '<!doctype html><p>hello');
    started = await startWorker({ onFault: (from, code) => void faults.push(`${from} ${code}`) });
  });
  afterAll(async () => {
    await started.stop();
    site.close();
  });
  const told = (client: TestClient): unknown[] =>
    client.core.flatMap(([name, { silent }]) => (name === 'page-silent' ? [silent] : []));
  const silent = (client: TestClient, value: boolean) => client.hears('page-silent', (now) => now['silent'] === value);

  it('is reported to its clients until it does, and counted once', async () => {
    const client = await browse(started.worker, site.url('one.test', '/?late=1000000'));
    await silent(client, true);
    expect(faults).toEqual(['page page-silent']);
    client.detach();
    const reloaded = new TestClient(started.worker, ANNA, client.answer);
    await reloaded.attach('another');
    await silent(reloaded, true);
    await reloaded.ask('x', { hostile: 'begin' });
    await silent(reloaded, false);
    expect([told(client), told(reloaded)]).toEqual([[true], [true, false]]);
    expect(faults).toEqual(['page page-silent']);
  });

  it('is no longer reported after the person has navigated', async () => {
    const client = await browse(started.worker, site.url('one.test', '/?late=1000000'));
    await silent(client, true);
    await client.ask(`cdp Page.navigate ${JSON.stringify({ url: site.url('one.test', '/next') })}`);
    await silent(client, false);
    expect(told(client)).toEqual([true, false]);
  });
});

describe('silence', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  function watch(dialog = { isOpen: false, closedAt: -Infinity }) {
    const told: boolean[] = [];
    let listener: ((to: object) => void) | undefined;
    const options = {
      frames: { onNavigation: (given: (to: object) => void) => void (listener = given) },
      kernel: { handle: () => undefined },
      dialog,
      onSilent: (silent: boolean) => void told.push(silent),
      onFault: () => undefined,
    };
    const silence = new PageSilence(options as unknown as PageSilenceOptions); // all that it uses
    const navigate = (): void =>
      listener?.({ frame: { id: MAIN_FRAME, url: 'https://site.test/' }, sameDocument: false });
    return { silence, told, navigate };
  }

  it('is reported only after the full time since its dialog was closed', () => {
    const dialog = { isOpen: true, closedAt: -Infinity };
    const { told, navigate } = watch(dialog);
    navigate();
    vi.advanceTimersByTime(1.5 * SILENCE_MS);
    Object.assign(dialog, { isOpen: false, closedAt: performance.now() });
    vi.advanceTimersByTime(SILENCE_MS - 1);
    expect(told).toEqual([]);
    vi.advanceTimersByTime(2);
    expect(told).toEqual([true]);
  });

  it('of a page that navigates while its tab is being closed is not reported', () => {
    const { silence, told, navigate } = watch();
    navigate();
    silence.close();
    navigate();
    vi.advanceTimersByTime(2 * SILENCE_MS);
    expect(told).toEqual([]);
  });
});
