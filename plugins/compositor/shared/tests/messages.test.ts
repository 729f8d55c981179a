import { describe, expect, it } from 'vitest';
import { Endpoint, nameTable } from '../../../../core/protocol/endpoint.ts';
import type { AppError } from '../../../../core/protocol/errors.ts';
import { validate } from '../../../../core/protocol/message.ts';
import { fromBase64, toBase64 } from '../../../../core/protocol/base64.ts';
import {
  attachLayerTreeHost,
  COMPOSITOR_MESSAGES,
  debugData,
  displayListDelta,
  frameDelay,
  invalidateLayerRect,
  invalidateLayerTree,
  pixelDistance,
  remoteCanvasSourceFallback,
} from '../messages.ts';
import type { BinaryMessage } from '../messages.ts';
import { faultCode } from './fault-code.ts';
import { FULL_DELTA } from './full-delta.ts';

interface Case {
  readonly message: BinaryMessage<unknown>;
  readonly value: object;
  /** Values that neither side takes. */
  readonly wrong: readonly object[];
}

function of<T extends object>(
  message: BinaryMessage<T>,
  value: NoInfer<T>,
  ...wrong: readonly Partial<NoInfer<T>>[]
): Case {
  return {
    message: message as BinaryMessage<unknown>,
    value,
    wrong: wrong.map((part) => ({ ...value, ...part })),
  };
}

const CASES: readonly Case[] = [
  of(invalidateLayerTree, { fid: 7 }, { fid: -1 }),
  of(
    attachLayerTreeHost,
    { fid: 8, parent_fid: 7, frame_sink_id: 300, viewport: { width: 640, height: 480 } },
    { frame_sink_id: -1 },
    { viewport: { width: 0.5, height: 1 } },
  ),
  of(displayListDelta, FULL_DELTA, { layer_id: NaN }),
  of(invalidateLayerRect, { fid: 7, layer_id: 31, rect: { x: -1, y: 2, width: 3, height: 4 } }, { layer_id: 2 ** 31 }),
  of(
    debugData,
    { fid: 7, readings: [{ name: 'surrogate fps', value: 59.94 }] },
    { readings: [{ name: 'x'.repeat(65), value: 1 }] },
    { readings: [{ name: 'x', value: NaN }] },
    { readings: Array.from({ length: 513 }, () => ({ name: '', value: 0 })) },
  ),
  of(pixelDistance, { fid: 7, distance: 100_000 }, { distance: -1 }, { distance: 100_001 }, { distance: Infinity }),
  of(frameDelay, { fid: 7, delay_ms: 33 }, { delay_ms: 32 }, { delay_ms: 3001 }, { delay_ms: 40.5 }),
  of(
    remoteCanvasSourceFallback,
    { fid: 7, layer_id: 31, node_id: 44, reason: 'memory' },
    { reason: 'whim' as 'memory' },
    { node_id: -1 },
  ),
];

describe('the messages of the compositor', () => {
  it('are those of the specification, to the client, in the lane of its commits', () => {
    expect(COMPOSITOR_MESSAGES.map(({ name }) => name)).toEqual([
      'invalidate layer tree',
      'attach layer tree host',
      'display list delta',
      'invalidate layer rect',
      'debug data',
      'pixel distance',
      'frame delay',
      'remote canvas source fallback',
    ]);
    for (const message of COMPOSITOR_MESSAGES)
      expect(message).toMatchObject({ direction: 'host-to-client', lane: 'view' });
    expect(CASES.map(({ message }) => message)).toEqual(COMPOSITOR_MESSAGES);
  });

  it.each(CASES)('carry binary as base64 from end to end: $message.name', ({ message, value }) => {
    const got: unknown[] = [];
    const faults: AppError[] = [];
    const table = nameTable([message]);
    const client = new Endpoint({ table, transmit: () => undefined, onFault: (fault) => faults.push(fault) });
    client.handle(message, (params) => void got.push(message.unpack(params)));
    const host = new Endpoint({
      table,
      onFault: () => undefined,
      transmit: (_, packet) => client.receive(JSON.parse(JSON.stringify(packet)) as typeof packet),
    });
    const packed = message.pack(value);
    expect(Buffer.from(packed, 'base64').toString('base64')).toBe(packed);
    host.send(message, packed);
    const longer = toBase64(Uint8Array.of(...fromBase64(packed), 0));
    expect(got).toEqual([value]);
    for (const bad of ['*', 'AAA', 'A A=', '=AAA', 'AAAA\n', longer, toBase64(Uint8Array.of(2, 0)), '', 7])
      host.send(message, bad as string);
    expect(got).toHaveLength(1);
    expect(faults.map(({ code }) => code)).toEqual([
      ...[...Array<string>(5).fill('bad-message'), 'bad-binary', 'bad-binary', 'bad-binary', 'bad-message'],
    ]);
  });

  it.each(CASES)('are checked on both ends: $message.name', ({ message, value, wrong }) => {
    for (const bad of wrong) expect(faultCode(() => message.pack(bad))).toBe('bad-binary');
    // Each byte as far from what it was as it gets: read as what it says, which is packed to the same, or refused.
    const bytes = fromBase64(message.pack(value));
    for (const [at, byte] of bytes.entries())
      for (const other of [byte ^ 0xff, byte ^ 0x80, 0]) {
        const params = toBase64(bytes.with(at, other));
        let read: unknown;
        const code = faultCode(() => (read = message.unpack(params)));
        if (code === 'none') expect(message.pack(read)).toBe(params);
        else expect(code).toBe('bad-binary');
      }
  });

  it('lose no field on the way, and are refused without one', () => {
    for (const { message, value } of CASES)
      for (const name of Object.keys(value)) {
        const { [name as keyof typeof value]: _, ...rest } = value;
        expect(() => message.pack(rest), `${message.name} without ${name}`).toThrow();
      }
  });

  it('are no longer than they may be, and long ones are no trouble', () => {
    const data = new Uint8Array(6_000_000).map((_, at) => at % 251);
    const large = { ...FULL_DELTA, pictures: [{ provider_id: 1, format: 'png' as const, data }] };
    const packed = displayListDelta.pack(large);
    const read = displayListDelta.unpack(packed).pictures[0];
    expect(Buffer.compare(read!.data, data)).toBe(0);
    const tooLarge = 'A'.repeat(4 * Math.ceil((8 * 1024 * 1024) / 3) + 4);
    expect(faultCode(() => displayListDelta.unpack(tooLarge))).toBe('bad-message');
    expect(faultCode(() => displayListDelta.unpack(tooLarge.slice(4)))).toBe('bad-binary');
    expect(faultCode(() => frameDelay.unpack('A'.repeat(92)))).toBe('bad-message');
    const picture = { provider_id: 1, format: 'png' as const, data: new Uint8Array(5_000_000) };
    expect(faultCode(() => displayListDelta.pack({ ...FULL_DELTA, pictures: [picture, picture] }))).toBe('bad-binary');
  });

  it('have parameters that are what they were after any number of checks', () => {
    for (const { message, value } of CASES) {
      const packed = message.pack(value);
      expect(validate(message.params, validate(message.params, packed, 'x'), 'x')).toBe(packed);
    }
  });
});
