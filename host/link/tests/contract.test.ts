import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nothing } from '../../../core/protocol/message.ts';
import {
  acceptStream,
  call,
  callBody,
  handle,
  handleBody,
  method,
  notice,
  notify,
  onNotice,
  openStream,
  stream,
} from '../contract.ts';
import { linkPair } from '../memory.ts';
import type { LinkPeer } from '../peer.ts';
import { pattern } from './far-side.ts';
import { eventually } from './links.ts';

const pair = method({
  name: 'pair',
  params: v.object({ id: v.string(), width: v.number() }),
  result: v.object({ tab: v.number() }),
  key: ({ id }) => id,
});
const forget = method({ name: 'forget', params: nothing, result: nothing, deadlineMs: 50 });
const fetched = method({ name: 'fetch', params: v.string(), result: v.object({ status: v.number() }) });
const moved = notice({ name: 'moved', params: v.object({ x: v.number() }) });
const channel = stream({ name: 'channel', params: v.object({ tab: v.number() }) });
const wrong = <T>(value: unknown): T => value as T; // what a peer sends that keeps to no schema

describe('the declared contract of a link', () => {
  let near: LinkPeer;
  let far: LinkPeer;
  const faults: string[] = [];
  beforeEach(() => {
    faults.length = 0;
    [near, far] = linkPair({ onFault: (error, where) => faults.push(`${where}: ${error.code}`) });
  });
  afterEach(() => near.close('done'));

  it('carries what fits, checked and stripped of what is not declared', async () => {
    const got: unknown[] = [];
    handle(far, pair, (params) => {
      got.push(params);
      return wrong({ tab: 7, secret: 1 });
    });
    expect(await call(near, pair, wrong({ id: 'a', width: 3, more: 1 }))).toEqual({ tab: 7 });
    expect(got).toEqual([{ id: 'a', width: 3 }]);
  });

  it('refuses parameters that do not fit before the handler sees them, and answers before the caller does', async () => {
    let runs = 0;
    handle(far, pair, () => {
      runs += 1;
      return wrong({ tab: 'seven' });
    });
    const bad = call(near, pair, wrong({ id: 'a', width: 'SECRET' }));
    await expect(bad).rejects.toMatchObject({ code: 'link-bad-params', data: { name: 'pair', path: 'width' } });
    await expect(bad).rejects.not.toThrow('SECRET');
    expect(runs).toBe(0);
    await expect(call(near, pair, { id: 'b', width: 1 })).rejects.toMatchObject({ code: 'link-bad-answer' });
  });

  it('takes deadline and idempotency key from the declaration', async () => {
    let tab = 0;
    handle(far, pair, () => ({ tab: ++tab }));
    handle(far, forget, () => new Promise(() => undefined));
    expect(await call(near, pair, { id: 'a', width: 1 })).toEqual({ tab: 1 });
    expect(await call(near, pair, { id: 'a', width: 1 })).toEqual({ tab: 1 });
    expect(await call(near, pair, { id: 'b', width: 1 })).toEqual({ tab: 2 });
    await expect(call(near, forget, undefined)).rejects.toMatchObject({ code: 'link-timeout' });
  });

  it('answers with bodies where they are expected, and aborts them where they are not', async () => {
    let returned = 0;
    handleBody(far, fetched, (params) => ({
      value: params === 'bad' ? wrong({ status: 'x' }) : { status: 200 },
      body: (async function* () {
        try {
          for (let at = 0; at < 3; at++) yield pattern(1000, at * 1000);
        } finally {
          returned += 1;
        }
      })(),
    }));
    const { value, body } = await callBody(near, fetched, 'good');
    expect(value).toEqual({ status: 200 });
    const chunks: Uint8Array[] = [];
    for await (const chunk of body ?? []) chunks.push(chunk);
    expect(Buffer.concat(chunks).equals(pattern(3000))).toBe(true);
    await expect(callBody(near, fetched, 'bad')).rejects.toMatchObject({ code: 'link-bad-answer' });
    await expect(call(near, fetched, 'good')).rejects.toMatchObject({ code: 'link-bad-answer' });
    await eventually(() => expect(far.load).toMatchObject({ handling: 0, sentBytes: 0 }));
    expect(returned).toBe(3);
  });

  it('checks notices and streams', async () => {
    const got: unknown[] = [];
    onNotice(far, moved, (params) => got.push(params));
    acceptStream(far, channel, (params, opened) => {
      got.push(params);
      opened.onChunk((chunk) => opened.send(chunk));
    });
    notify(near, moved, { x: 1 });
    notify(near, moved, wrong({ x: 'one' }));
    const good = openStream(near, channel, { tab: 1 });
    const bad = openStream(near, channel, wrong({}));
    const echoed: number[] = [];
    good.onChunk((chunk) => void echoed.push(chunk.length));
    good.send(pattern(5));
    await eventually(() => expect(bad.closeReason).toBe('link-bad-params'));
    await eventually(() => expect(echoed).toEqual([5]));
    expect(got).toEqual([{ x: 1 }, { tab: 1 }]);
    expect(faults).toEqual(['moved: link-bad-params', 'channel: link-bad-params']);
  });
});
