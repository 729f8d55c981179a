import type { ChannelBodies } from '../../channel/bodies.ts';
import { describe, expect, it, vi } from 'vitest';
import { Endpoint, nameTable, parsePacket } from '../../protocol/endpoint.ts';
import type { Packet } from '../../protocol/endpoint.ts';
import { AppError, toAppError } from '../../protocol/errors.ts';
import { lateBodies } from '../late-bodies.ts';
import { textBodies } from '../../protocol/bodies/text-bodies.ts';
import { feed, MESSAGES, other, pipe, put, say } from '../../protocol/bodies/tests/messages.ts';
import { PATIENCE_MS } from '../../testing/patience.ts';

/** An endpoint whose carrier is loaded when it is needed, and another that has its own. */
function lazyPair() {
  const table = nameTable(MESSAGES);
  const faults: string[] = [];
  const onFault = ({ code }: AppError): void => void faults.push(code);
  const loading = Promise.withResolvers<void>();
  const sent: Packet[] = [];
  let loads = 0;
  const copy = (packet: Packet): Packet => parsePacket(JSON.parse(JSON.stringify(packet)));
  const toOther = (_lane: unknown, packet: Packet): void => {
    sent.push(packet);
    queueMicrotask(() => eager.receive(copy(packet)));
  };
  const toLazy = (_lane: unknown, packet: Packet): void => queueMicrotask(() => lazy.receive(copy(packet)));
  const load = async (): Promise<ChannelBodies> => {
    loads += 1;
    await loading.promise;
    return Object.assign(textBodies({ transmit: toOther, onFault }), { take: () => undefined }); // pieces are packets here
  };
  const late = lateBodies(toOther, load, (thrown) => onFault(toAppError(thrown)));
  const lazy = new Endpoint({ table, transmit: late.send, onFault, bodies: late });
  const bodies = textBodies({ transmit: toLazy, onFault });
  const eager = new Endpoint({ table, transmit: (...given) => bodies.send(...given), onFault, bodies });
  return { lazy, eager, faults, loading, sent, loads: () => loads };
}

describe('an endpoint whose carrier is loaded with the first body', () => {
  it('keeps the order of all that it sends meanwhile', async () => {
    const { lazy, eager, faults, loading, sent, loads } = lazyPair();
    const order: string[] = [];
    eager.handle(put, ({ text }, body) => void order.push(`${text} ${body.length}`));
    eager.handle(say, ({ text }) => void order.push(text));
    lazy.send(say, { text: 'before' });
    lazy.send(put, { text: 'body' }, { body: new Uint8Array(3) });
    lazy.send(say, { text: 'after' });
    lazy.send(put, { text: 'another' }, { body: new Uint8Array(4) });
    expect([sent.length, loads()]).toEqual([1, 1]);
    loading.resolve();
    await vi.waitFor(() => expect(order).toEqual(['before', 'body 3', 'after', 'another 4']), PATIENCE_MS);
    expect([faults, loads()]).toEqual([[], 1]);
  });

  it('keeps the order of all that it receives meanwhile, and answers', async () => {
    const { lazy, eager, faults, loading } = lazyPair();
    const order: string[] = [];
    lazy.handle(feed, ({ text }, body) => {
      order.push(text);
      void body.bytes().then(({ length }) => order.push(`${length} bytes`));
    });
    lazy.handle(say, ({ text }) => void order.push(text));
    lazy.handle(pipe, (params, body) => ({ result: params, body }));
    eager.send(feed, { text: 'body' }, { body: new Uint8Array(70_000) });
    eager.send(say, { text: 'after' });
    const answer = eager.call(pipe, { text: 'round' }, { body: Uint8Array.of(1, 2) });
    loading.resolve();
    expect(await (await answer).body.bytes()).toEqual(Uint8Array.of(1, 2));
    await vi.waitFor(() => expect(order).toEqual(['body', 'after', '70000 bytes']), PATIENCE_MS);
    expect(faults).toEqual([]);
  });

  it('that cannot be loaded goes on without bodies, says so, and tries again with the next', async () => {
    const { lazy, eager, faults, loading, loads } = lazyPair();
    const heard: string[] = [];
    eager.handle(put, () => void heard.push('put'));
    eager.handle(other, ({ text }) => void heard.push(text));
    lazy.send(put, { text: 'lost' }, { body: new Uint8Array(1) });
    lazy.send(other, { text: 'goes on' });
    loading.reject(new AppError('load-failed', 'of the test'));
    await vi.waitFor(() => expect(heard).toEqual(['goes on']), PATIENCE_MS);
    expect(faults).toEqual(['load-failed', 'bad-message']);
    lazy.send(put, { text: 'again' }, { body: new Uint8Array(1) });
    expect(loads()).toBe(2);
  });

  it('sends nothing more once it is closed', async () => {
    const { lazy, loading, sent } = lazyPair();
    lazy.send(put, { text: 'late' }, { body: new Uint8Array(1) });
    lazy.close(new AppError('channel-dead', 'of the test'));
    loading.resolve();
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(sent).toEqual([]);
  });
});
