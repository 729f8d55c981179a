import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';

const HOST = path.resolve(import.meta.dirname, '..');

it('never installs through a link, which would empty its target', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'vitrine-checkout-'));
  try {
    const [checkout, target] = [path.join(folder, 'checkout'), path.join(folder, 'elsewhere')];
    mkdirSync(path.join(checkout, 'host'), { recursive: true });
    for (const name of ['setup.mjs', 'setup'])
      cpSync(path.join(HOST, name), path.join(checkout, 'host', name), { recursive: true });
    mkdirSync(path.join(target, 'package'), { recursive: true });
    symlinkSync(target, path.join(checkout, 'node_modules'));
    writeFileSync(path.join(checkout, 'package.json'), '{"name":"checkout","version":"1.0.0"}');
    const lock = {
      name: 'checkout',
      lockfileVersion: 3,
      packages: { '': {}, 'node_modules/other': { version: '1.0.0' } },
    };
    writeFileSync(path.join(checkout, 'package-lock.json'), JSON.stringify(lock));
    const words = await new Promise<string>((resolve) => {
      execFile(process.execPath, [path.join(checkout, 'host/setup.mjs'), 'types'], (_error, _stdout, stderr) =>
        resolve(stderr),
      );
    });
    expect(words).toContain('node_modules is a link');
    expect(existsSync(path.join(target, 'package'))).toBe(true);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
