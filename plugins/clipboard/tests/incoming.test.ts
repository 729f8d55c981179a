import { expect, it, vi } from 'vitest';
import { Incoming } from '../host/incoming.ts';
import { arriving } from './arriving.ts';
import { REQUEST } from './tab.ts';

/** A PNG's beginning, of a size. */
function png(width: number, height: number): Uint8Array {
  const bytes = Buffer.alloc(33);
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').copy(bytes);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return new Uint8Array(bytes);
}

/** Has parts arrive as one paste. */
async function take(
  parts: Partial<Record<'text' | 'html' | 'rtf' | 'picture', string | Uint8Array>>,
  incoming = new Incoming(),
) {
  const bytes = (['text', 'html', 'rtf', 'picture'] as const).map(
    (kind) => [kind, Buffer.from(parts[kind] ?? '')] as const,
  );
  const body = arriving();
  const arrived = incoming.expect(
    { ...REQUEST, ...Object.fromEntries(bytes.map(([kind, { length }]) => [kind, length])) },
    body,
  );
  const whole = Buffer.concat(bytes.map(([, each]) => each));
  for (let at = 0; at < whole.length; at += 500) body.take(whole.subarray(at, at + 500), false);
  body.take(Buffer.of(), true);
  return arrived;
}

it('[S-129] each kind of a paste arrives as it was sent, also a mark of the order of bytes', async () => {
  const parts = { text: '\ufeffa\u00fc', html: '<b>\ud83d\ude00</b>', rtf: '{\\rtf1 a}' };
  expect(await take(parts)).toEqual(parts);
  expect(await take({ rtf: '{\\rtf1}' })).toEqual({ rtf: '{\\rtf1}' });
  expect(await take({ ...parts, picture: png(2, 1) })).toEqual({ ...parts, picture: png(2, 1) });
  expect(await take({})).toBeUndefined();
});

it('a picture of at most fifty million pixels is taken, of a type that pages paste', async () => {
  expect(await take({ picture: png(10_000, 5000) })).toEqual({ picture: png(10_000, 5000) });
  expect(await take({ picture: png(10_000, 5001) })).toBeUndefined();
  const icon = Buffer.from('00000100010001010000010020003000000016000000', 'hex');
  expect(await take({ picture: icon })).toBeUndefined();
});

it('any number of pastes arrives one after the other, and of those at the same time four', async () => {
  const incoming = new Incoming();
  for (let at = 0; at < 6; at += 1) expect(await take({ text: `${at}` }, incoming)).toEqual({ text: `${at}` });
  const bodies = Array.from({ length: 5 }, () => arriving());
  const cancels = bodies.map((body) => vi.spyOn(body, 'cancel'));
  const pastes = bodies.map((body) => incoming.expect({ ...REQUEST, text: 1 }, body));
  expect(await pastes[4]).toBeUndefined();
  expect(cancels.map(({ mock }) => mock.calls.length)).toEqual([0, 0, 0, 0, 1]);
  incoming.dispose();
  expect(await Promise.all(pastes)).toEqual(Array.from({ length: 5 }, () => undefined));
});

it('[R-060] a text of a million units is the longest that arrives', async () => {
  const incoming = new Incoming();
  async function* longText(length: number): AsyncGenerator<Uint8Array> {
    yield Buffer.alloc(length, 'x');
  }
  const expectOf = (length: number) =>
    incoming.expect(
      { ...REQUEST, text: length },
      Object.assign(longText(length), { cancel: () => undefined }) as unknown as Parameters<Incoming['expect']>[1],
    );
  expect((await expectOf(1_000_000))?.text).toHaveLength(1_000_000);
  expect(await expectOf(1_000_001)).toBeUndefined();
});
