import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readBody, TO_DECODER } from '../../cells/protocol.ts';
import { installedFonts } from '../../fonts/fontconfig.ts';
import type { LinkPeer } from '../../link/api.ts';
import { MAX_RESOURCE_BYTES } from '../../resources/data-address.ts';
import { decoderHere } from './in-process.ts';
import { PATIENCE_MS } from '../../../core/testing/patience.ts';

const FORM = { format: 'webp', quality: 80, maxSide: 100 };
const [font] = await installedFonts();
const file = await readFile(font?.file ?? '');

let peer: LinkPeer;
beforeEach(async () => {
  const started = await decoderHere()();
  await started.setUp();
  peer = started.peer;
});
afterEach(() => peer.close('test over'));

const cut = async (params: unknown, body: Uint8Array): Promise<Buffer> =>
  readBody((await peer.call(TO_DECODER.cut, params, { body })).body, 1e7);

it('cuts a piece out of a font', async () => {
  const piece = await cut({ index: 0, piece: 'letters' }, file);
  expect(piece.subarray(0, 4).toString()).toBe('wOF2');
  expect((await cut({ index: 0, piece: '4e00' }, file)).length).toBeLessThan(piece.length);
});

it.each([
  { index: 0, piece: 'x' },
  { index: 0, piece: '1234567' },
  { index: -1, piece: 'letters' },
  { index: 65_536, piece: 'letters' },
  { index: 0 },
])('cuts no other piece than there are: %j', async (params) => {
  await expect(cut(params, file)).rejects.toMatchObject({ code: 'bad-message' });
});

it.each([
  ['nothing', Buffer.alloc(0)],
  ['no font', Buffer.from('<svg/>'.repeat(100))],
  ['half of a font', file.subarray(0, file.length / 2)],
  ['a collection without fonts', Buffer.from('74746366000100000000000100ffffff', 'hex')],
])('refuses %s', async (_what, body) => {
  await expect(cut({ index: 0, piece: 'letters' }, body)).rejects.toMatchObject({ code: 'font-broken' });
});

it('takes no file past its bounds, and goes on after it', async () => {
  const large = Buffer.alloc(MAX_RESOURCE_BYTES + 1);
  await expect(peer.call(TO_DECODER.picture, FORM, { body: large })).rejects.toMatchObject({ code: 'link-too-large' });
  await expect(peer.call(TO_DECODER.picture, FORM)).rejects.toMatchObject({ code: 'resource-type' });
  expect((await cut({ index: 0, piece: 'letters' }, file)).length).toBeGreaterThan(0);
});

it('does one thing after the other', async () => {
  const settled: string[] = [];
  const end = Promise.withResolvers<undefined>();
  const slow = async function* (): AsyncGenerator<Uint8Array> {
    yield file.subarray(0, 1000);
    await end.promise;
    yield file.subarray(1000);
  };
  const params = { index: 0, piece: 'letters' };
  const first = peer.call(TO_DECODER.cut, params, { body: slow() }).then(() => settled.push('first'));
  const second = cut(params, Buffer.from('no font')).catch(() => settled.push('second'));
  // By then it would have been refused.
  for (let n = 0; n < 50; n++) await peer.ping(PATIENCE_MS);
  end.resolve(undefined);
  await Promise.all([first, second]);
  expect(settled).toEqual(['first', 'second']);
});
