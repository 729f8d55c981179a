import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { HELD } from './far-side.ts';
import { eventually, LINKS } from './links.ts';
import type { TestLink } from './links.ts';
import { PATIENCE_MS } from '../../../core/testing/patience.ts';

describe.each(LINKS)('calls over %s', (_name, connect) => {
  let link: TestLink;
  beforeAll(() => {
    link = connect({ answers: 8, calls: 64, handling: 32 });
  });
  beforeEach(() => link.peer.call('reset', null));
  afterAll(() => link.peer.close('done'));

  it('carries values by their JSON form', async () => {
    const params = { text: 'a\u{1F600}\u0000\ud800', list: [1, null, true, { deep: [] }], left: undefined };
    expect((await link.peer.call('echo', params)).value).toEqual({ text: params.text, list: params.list });
    expect((await link.peer.call('echo', undefined)).value).toBeUndefined();
    expect((await link.peer.call('echo', null)).value).toBeNull();
    expect(await link.peer.call('echo', 0)).toEqual({ value: 0 });
  });

  it('keeps many calls apart, whatever the order of their answers', async () => {
    const delays = Array.from({ length: 60 }, (_, at) => ({ ms: (at * 7) % 40, at }));
    const answers = await Promise.all(delays.slice(0, 30).map((params) => link.peer.call('late', params)));
    expect(answers.map(({ value }) => value)).toEqual(delays.slice(0, 30));
  });

  it('carries an AppError with code, message, data and retryable, and no other error’s message', async () => {
    await expect(link.peer.call('refuse', null)).rejects.toMatchObject({
      name: 'AppError',
      code: 'page-refused',
      message: 'Not this one.',
      data: { by: ['policy'] },
      retryable: true,
    });
    const crash = await link.peer.call('crash', null).catch((error: unknown) => error);
    expect(crash).toMatchObject({ code: 'internal', retryable: false });
    expect(String(crash)).not.toContain('secret');
  });

  it('refuses what has no method, no JSON form, or is too large, on the side where it happens', async () => {
    await expect(link.peer.call('nothing', null)).rejects.toMatchObject({ code: 'link-unknown-method' });
    await expect(link.peer.call('echo', 1n)).rejects.toMatchObject({ code: 'link-bad-params' });
    await expect(link.peer.call('n'.repeat(129), 1)).rejects.toMatchObject({ code: 'link-bad-params' });
    await expect(link.peer.call('echo', 'x'.repeat(1 << 20))).rejects.toMatchObject({ code: 'link-too-large' });
    await expect(link.peer.call('circle', null)).rejects.toMatchObject({ code: 'link-bad-answer' });
    await expect(link.peer.call('large', { length: 1 << 20 })).rejects.toMatchObject({ code: 'link-too-large' });
    expect((await link.peer.call('large', { length: 1_000_000 })).value).toHaveLength(1_000_000);
  });

  it('ends a call at its deadline on both sides', async () => {
    await expect(link.peer.call('hang', null, { deadlineMs: 40 })).rejects.toMatchObject({ code: 'link-timeout' });
    await eventually(async () => expect((await link.counters()).aborted).toEqual(['link-timeout']));
  });

  it('aborts a call on both sides', async () => {
    const abort = new AbortController();
    const call = link.peer.call('hang', null, { signal: abort.signal });
    await link.peer.ping(PATIENCE_MS);
    abort.abort('gone');
    await expect(call).rejects.toMatchObject({ code: 'link-aborted', cause: 'gone' });
    await eventually(async () => expect((await link.counters()).aborted).toEqual(['link-aborted']));
    await expect(link.peer.call('echo', 1, { signal: abort.signal })).rejects.toMatchObject({ code: 'link-aborted' });
  });

  it('refuses calls above the bounds of either side, and takes calls again after', async () => {
    const abort = new AbortController();
    const outcomes = Array.from({ length: 80 }, () =>
      link.peer.call('hang', null, { signal: abort.signal }).catch((error: unknown) => error),
    );
    await expect(link.peer.call('echo', 1)).rejects.toMatchObject({ code: 'link-busy', retryable: true });
    await link.peer.ping(PATIENCE_MS); // the far side has refused those that are too many for it
    abort.abort();
    const codes = (await Promise.all(outcomes)).map((error) => (error as { code: string }).code);
    expect(codes.filter((code) => code === 'link-aborted')).toHaveLength(32);
    expect(codes.filter((code) => code === 'link-busy')).toHaveLength(48);
    await expect.poll(async () => (await link.peer.call('echo', 1).catch(() => undefined))?.value).toBe(1);
  });

  it('refuses calls whose parameters together are above the bound of the far side, and takes calls again after', async () => {
    const own = connect({ handlingBytes: 100_000 });
    const abort = new AbortController();
    const large = 'x'.repeat(30_000);
    const outcomes = Array.from({ length: 5 }, () =>
      own.peer.call('hang', large, { signal: abort.signal }).catch((error: unknown) => error),
    );
    await own.peer.ping(PATIENCE_MS); // the far side has refused those that are too many for it
    await expect(own.peer.call('echo', large)).rejects.toMatchObject({ code: 'link-busy', retryable: true });
    expect((await own.peer.call('echo', 1)).value).toBe(1);
    abort.abort();
    const codes = (await Promise.all(outcomes)).map((error) => (error as { code: string }).code);
    expect(codes.filter((code) => code === 'link-aborted')).toHaveLength(3);
    expect(codes.filter((code) => code === 'link-busy')).toHaveLength(2);
    await expect.poll(async () => (await own.peer.call('echo', large).catch(() => undefined))?.value).toBe(large);
    own.peer.close('test over');
    own.child?.kill();
  });

  it('sends notices in order with calls', async () => {
    for (let at = 0; at < 50; at++) link.peer.notify('note', { at });
    expect((await link.counters()).notes).toEqual(Array.from({ length: 50 }, (_, at) => ({ at })));
    expect(() => link.peer.notify('note', 'x'.repeat(1 << 20))).toThrow('above the bound');
  });

  it('measures a round trip', async () => {
    const ms = await link.peer.ping(PATIENCE_MS);
    expect(ms).toBeGreaterThan(0);
    expect(ms).toBeLessThan(PATIENCE_MS);
  });
});

describe.each(LINKS)('idempotency keys over %s', (_name, connect) => {
  let link: TestLink;
  beforeAll(() => {
    link = connect({ answers: 8, answerMs: 100_000 });
  });
  beforeEach(() => link.peer.call('reset', null));
  afterAll(() => link.peer.close('done'));
  const run = (key: string, ms = 0, outcome = 'value', deadlineMs = 10_000): Promise<unknown> =>
    link.peer.call('run', { ms, outcome }, { key, deadlineMs }).then(
      ({ value }) => value,
      (error: unknown) => error,
    );

  it('answers a repeated key with the first answer, during the call and after it', async () => {
    const [first, second] = await Promise.all([run('a', 30), run('a', 30)]);
    expect(second).toBe(first);
    expect(await run('a')).toBe(first);
    expect(await run('b')).not.toBe(first);
    expect(await link.peer.call('echo', 5, { key: 'a' })).toEqual({ value: 5 });
  });

  it('goes on past the deadline of a call, so that its repetition gets the answer', async () => {
    expect(await run('slow', HELD, 'value', 50)).toMatchObject({ code: 'link-timeout' });
    const { runs } = await link.counters();
    const again = run('slow', HELD);
    link.peer.notify('go-on', null);
    expect(await again).toBe(runs);
    expect((await link.counters()).runs).toBe(runs);
  });

  it('runs a call again that has failed, or whose answer was not final', async () => {
    expect(await run('failed', 0, 'final')).toMatchObject({ code: 'run-failed', retryable: false });
    expect(await run('again', 0, 'retryable')).toMatchObject({ code: 'run-failed', retryable: true });
    const first = await run('later', 0, 'not-final');
    expect(first).toBeTypeOf('number');
    const [failed, again, later] = [await run('failed'), await run('again'), await run('later')];
    expect(new Set([failed, again, later, first]).size).toBe(4);
    expect([await run('failed'), await run('again'), await run('later')]).toEqual([failed, again, later]);
    expect(await run('with-body', 0, 'body')).toMatchObject({ code: 'link-bad-answer' });
  });

  it('forgets the oldest answers past its bound', async () => {
    const first = await run('old');
    for (let at = 0; at < 8; at++) await run(`new-${at}`);
    expect(await run('old')).not.toBe(first);
  });
});
