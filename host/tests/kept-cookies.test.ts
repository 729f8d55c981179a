import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keptCookies } from '../base/kept-cookies.ts';

describe('keptCookies', () => {
  let data: string;
  beforeEach(() => {
    data = mkdtempSync(path.join(os.tmpdir(), 'vitrine-kept-'));
  });
  afterEach(() => rmSync(data, { recursive: true }));

  const cookies = (value: string): Buffer => Buffer.from(value);

  it('keeps the last of many writes that are made at once, and finds it after a restart', async () => {
    const kept = keptCookies(data);
    await Promise.all(Array.from({ length: 20 }, (_, at) => kept.keep('anna', cookies(String(at)))));
    expect(await keptCookies(data).find('anna')).toEqual(cookies('19'));
    expect(await kept.find('bert')).toBeUndefined();
  });

  it('leaves nothing on disk when cookies are forgotten while they are written', async () => {
    const kept = keptCookies(data);
    for (let round = 0; round < 20; round++) {
      const writing = kept.keep('anna', cookies('x'.repeat(100_000)));
      await Promise.all([kept.forget('anna'), writing]);
      expect(readdirSync(path.join(data, 'cookies'))).toEqual([]);
    }
  });
});
