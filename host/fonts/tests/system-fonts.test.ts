import { access, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { AppError } from '../../../core/protocol/errors.ts';
import { Families } from '../families.ts';
import { installedFonts } from '../fontconfig.ts';
import { decodersHere } from '../../decoder/tests/in-process.ts';
import { MachineFonts } from '../system-fonts.ts';

const folder = await mkdtemp(path.join(os.tmpdir(), 'vitrine-fonts-'));
afterAll(() => rm(folder, { recursive: true }));
const { cutFont } = decodersHere();
const fonts = new MachineFonts(folder, cutFont, { info: () => undefined });
const macOf = (piece = ''): string => piece.slice('/c/f/system.'.length);

it('finds the styles of an installed family, and cuts a piece with its characters, once', async () => {
  const [installed] = await installedFonts();
  const family = installed?.families[0] ?? '';
  expect(fonts.faces(family)).toBeUndefined();
  await fonts.learn([family]);
  const [face] = fonts.faces(family.toUpperCase()) ?? [];
  const piece = face?.pieces[0]?.path;
  expect(piece).toMatch(/^\/c\/f\/system\.[\w-]{43}$/);
  const [bytes, again] = await Promise.all([fonts.open(macOf(piece)), fonts.open(macOf(piece))]);
  expect(again).toBe(bytes);
  expect(Buffer.from(bytes.subarray(0, 4)).toString()).toBe('wOF2');
  await access(path.join(folder, `${macOf(piece)}.woff2`));
  // Another process gives the same tokens.
  const other = new MachineFonts(folder, cutFont, { info: () => undefined });
  await other.learn([family]);
  expect(other.faces(family)).toEqual(fonts.faces(family));
});

it('has no faces for missing families, nor for invalid names', async () => {
  const names = ['No Such Family', '-v', 'a\0b', '', 'x'.repeat(10_000), ':file=/etc/passwd'];
  await fonts.learn(names);
  for (const name of names) expect(fonts.faces(name)).toEqual([]);
});

it('looks up one family at a time, for all callers', async () => {
  let [asking, most] = [0, 0];
  const families = new Families([], async () => {
    most = Math.max(most, ++asking);
    await new Promise((resolve) => setTimeout(resolve, 5));
    asking--;
    return { asked: '', found: [] };
  });
  const busy = new MachineFonts(folder, cutFont, { info: () => undefined }, Promise.resolve(families));
  const wanted = Array.from({ length: 6 }, (_, n) => [`A${n}`, `B${n}`, 'Both']);
  await Promise.all(wanted.map((names) => busy.learn(names)));
  expect(most).toBe(1);
  expect(busy.faces('B5')).toEqual([]);
});

it('stops a lookup that is aborted', async () => {
  const leaving = new AbortController();
  leaving.abort();
  await fonts.learn(['Never Asked'], leaving.signal);
  expect(fonts.faces('Never Asked')).toBeUndefined();
});

it('leaves families unknown where fonts cannot be listed', async () => {
  const none = new MachineFonts(folder, cutFont, { info: () => undefined }, Promise.reject(new Error('no fontconfig')));
  await none.learn(['Arial']);
  expect(none.faces('Arial')).toBeUndefined();
  expect(none.available).toBe(false);
});

it('opens only pieces that it has named', async () => {
  for (const mac of ['', '../../etc/passwd', 'A'.repeat(43)])
    await expect(fonts.open(mac)).rejects.toThrow(new AppError('resource-not-found', 'There is no such resource.'));
});

it('tries a piece again that was not cut for a passing reason, and no broken one', async () => {
  const own = await mkdtemp(path.join(folder, 'again-'));
  const outcomes = [new AppError('decoder-ended', 'gone', { retryable: true }), new AppError('font-broken', 'broken')];
  let tried = 0;
  const cut = (): Promise<Uint8Array> => Promise.reject(outcomes[tried++] ?? new Error('once too often'));
  const failing = new MachineFonts(own, cut, { info: () => undefined });
  const [installed] = await installedFonts();
  const family = installed?.families[0] ?? '';
  await failing.learn([family]);
  const mac = macOf(failing.faces(family)?.[0]?.pieces[0]?.path);
  await expect(failing.open(mac)).rejects.toMatchObject({ code: 'decoder-ended' });
  for (let n = 0; n < 2; n++) await expect(failing.open(mac)).rejects.toMatchObject({ code: 'font-broken' });
  expect(tried).toBe(2);
});
