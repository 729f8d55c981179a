import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

const MAIN = path.resolve(import.meta.dirname, '../main.ts');
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'vitrine-start-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('a host does not start with an invalid policy, and reports place and reason', async () => {
  const file = path.join(folder, 'p.yaml');
  writeFileSync(file, 'tenants:\n  default:\n    policy: { copy_paste: { disable_copy: maybe } }\n');
  const start = (policy: string): Promise<{ readonly code: number | null; readonly words: string }> =>
    new Promise((resolve) => {
      const args = [MAIN, '--port', '0', '--data', folder, '--policy', policy];
      const child = execFile(process.execPath, args, { cwd: folder }, (_error, out, words) =>
        resolve({ code: child.exitCode, words: out + words }),
      );
    });
  const [wrong, absent] = await Promise.all([start(file), start(path.join(folder, 'absent.yaml'))]);
  expect(wrong.code).toBe(1);
  expect(wrong.words).toMatch(/could not start: p\.yaml:3:43: disable_copy: expected boolean, not "maybe"/);
  expect(wrong.words).not.toContain('is ready');
  expect(absent).toMatchObject({
    code: 1,
    words: expect.stringMatching(/the policy file .*absent\.yaml cannot be read/),
  });
});
