import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readPolicy } from '../policy-reader.ts';
import { OWN } from './own-settings.ts';

describe('reading a policy file', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'vitrine-policy-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const tooLong = { code: 'bad-policy', message: expect.stringMatching(/:1:1: the file is longer than 4194304 char/) };

  it('uses no memory for one that is far too large', async () => {
    const file = path.join(folder, 'huge.yaml');
    writeFileSync(file, 'tenants: {}\n');
    truncateSync(file, 400 * 1024 * 1024); // a hole: it uses no disk space
    const before = process.memoryUsage().rss;
    await expect(readPolicy(file, OWN)).rejects.toMatchObject(tooLong);
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
  });

  it.runIf(process.platform === 'linux')('terminates on an endless one without a size', async () => {
    await expect(readPolicy('/dev/zero', OWN)).rejects.toMatchObject(tooLong);
  });

  it('accepts one of maximum length, in bytes and in characters', async () => {
    const file = path.join(folder, 'long.yaml');
    const start = 'tenants: {}\n# ';
    writeFileSync(file, start + '€'.repeat(4 * 1024 * 1024 - start.length));
    expect((await readPolicy(file, OWN)).content).toEqual({ tenants: {} });
    writeFileSync(file, `${start}€${'€'.repeat(4 * 1024 * 1024 - start.length)}`);
    await expect(readPolicy(file, OWN)).rejects.toMatchObject(tooLong);
  });
});
