import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { Endpoint, MAX_PENDING_CALLS, nameTable, parsePacket } from '../endpoint.ts';
import type { Packet } from '../endpoint.ts';
import { AppError } from '../errors.ts';
import { message } from '../message.ts';

const say = message('test.say', { direction: 'client-to-host', params: v.object({ text: v.string() }) });
const add = message('test.add', {
  direction: 'client-to-host',
  params: v.object({ a: v.number(), b: v.number() }),
  result: v.number(),
});

interface Side {
  readonly endpoint: Endpoint;
  readonly faults: string[];
}

function pair(): { left: Side; right: Side; sent: Packet[] } {
  const table = nameTable([say, add]);
  const sent: Packet[] = [];
  const sides: Side[] = [];
  const make = (other: 0 | 1): Side => {
    const faults: string[] = [];
    const endpoint = new Endpoint({
      table,
      transmit: (_lane, packet) => {
        sent.push(packet);
        queueMicrotask(() => sides[other]?.endpoint.receive(parsePacket(JSON.parse(JSON.stringify(packet)))));
      },
      onFault: (fault) => faults.push(fault.code),
    });
    return { endpoint, faults };
  };
  const left = make(1);
  const right = make(0);
  sides.push(left, right);
  return { left, right, sent };
}

const coded = (code: string): unknown => expect.objectContaining({ code });

describe('endpoint', () => {
  it('answers a call with the validated result', async () => {
    const { left, right } = pair();
    right.endpoint.handle(add, async ({ a, b }) => a + b);
    expect(await left.endpoint.call(add, { a: 1, b: 2 })).toBe(3);
  });

  it('sends the error of a handler to the caller, and reports it locally', async () => {
    const { left, right } = pair();
    right.endpoint.handle(add, () => {
      throw new AppError('too-hard', 'no', { retryable: true });
    });
    await expect(left.endpoint.call(add, { a: 1, b: 2 })).rejects.toMatchObject({ code: 'too-hard', retryable: true });
    expect(right.faults).toEqual(['too-hard']);
  });

  it('validates parameters on receipt and results on return', async () => {
    const { left, right } = pair();
    right.endpoint.handle(add, () => 'three' as unknown as number);
    await expect(left.endpoint.call(add, { a: 'x' as unknown as number, b: 2 })).rejects.toEqual(coded('bad-message'));
    await expect(left.endpoint.call(add, { a: 1, b: 2 })).rejects.toEqual(coded('bad-message'));
  });

  it('fails calls without a handler, after a timeout, or pending at close', async () => {
    const { left, right } = pair();
    await expect(left.endpoint.call(add, { a: 1, b: 2 })).rejects.toEqual(coded('unknown-message'));
    right.endpoint.handle(add, () => new Promise<number>(() => undefined));
    await expect(left.endpoint.call(add, { a: 1, b: 2 }, { deadlineMs: 20 })).rejects.toEqual(coded('call-timeout'));
    const open = left.endpoint.call(add, { a: 1, b: 2 });
    left.endpoint.close(new AppError('gone', 'gone'));
    await expect(open).rejects.toEqual(coded('gone'));
    await expect(left.endpoint.call(add, { a: 1, b: 2 })).rejects.toEqual(coded('gone'));
    expect(() => left.endpoint.send(say, { text: '' })).toThrow(coded('gone'));
  });

  it('has one owner per message, and none after disposal', () => {
    const { endpoint } = pair().left;
    const undo = endpoint.handle(say, () => undefined);
    expect(() => endpoint.handle(say, () => undefined)).toThrow(coded('already-handled'));
    undo();
    expect(endpoint.handles('test.say')).toBe(false);
  });

  it('limits pending calls', async () => {
    const { left, right } = pair();
    right.endpoint.handle(add, () => new Promise<number>(() => undefined));
    const open = Array.from({ length: MAX_PENDING_CALLS }, () =>
      left.endpoint.call(add, { a: 1, b: 1 }).catch(() => undefined),
    );
    await expect(left.endpoint.call(add, { a: 1, b: 1 })).rejects.toEqual(coded('too-many-calls'));
    left.endpoint.close(new AppError('gone', 'gone'));
    await Promise.all(open);
  });

  it('never throws on any input, and keeps working', async () => {
    const { left, right } = pair();
    right.endpoint.handle(add, ({ a, b }) => a + b);
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        let packet: Packet | undefined;
        try {
          packet = parsePacket(value);
        } catch (thrown) {
          expect(thrown).toEqual(coded('bad-packet'));
        }
        if (packet) right.endpoint.receive(packet);
        right.endpoint.receive([0, value]);
        right.endpoint.receive(['test.add', value, 5]);
        await Promise.resolve();
      }),
      { numRuns: 500 },
    );
    expect(await left.endpoint.call(add, { a: 2, b: 2 })).toBe(4);
  });
});
