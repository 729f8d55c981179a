import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

const RELOAD = path.resolve(import.meta.dirname, '../base/reload.ts');

/** Runs {@link reloading} over a folder, with a host that notes each start in a file; `prepare` is ready unless the folder has `wrong`. */
function start(folder: string): { starts: () => number; refusals: () => number; stop: () => Promise<number | null> } {
  const [entry, notes, checks, sources, driver] = ['host.mjs', 'notes', 'checks', 'sources', 'driver.mjs'].map((name) =>
    path.join(folder, name),
  );
  writeFileSync(notes!, '');
  writeFileSync(checks!, '');
  writeFileSync(
    entry!,
    `import { appendFileSync } from 'node:fs';
     appendFileSync(${JSON.stringify(notes)}, 's');
     process.once('SIGTERM', () => process.exit(0));
     setInterval(() => {}, 1000);`,
  );
  const text = `
    import { appendFileSync, existsSync } from 'node:fs';
    import { reloading } from ${JSON.stringify(RELOAD)};
    const [entry, sources] = ${JSON.stringify([entry, sources])};
    const prepare = async () => {
      const isRight = !existsSync(sources + '/wrong');
      appendFileSync(${JSON.stringify(checks)}, isRight ? '' : 'w');
      return isRight;
    };
    process.exitCode = await reloading({ entry, args: [], port: 1, folders: [sources], prepare });`;
  writeFileSync(driver!, text);
  const child = spawn(process.execPath, [driver!], { stdio: 'ignore' });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  onTestFinished(() => void child.kill('SIGKILL'));
  return {
    starts: () => readFileSync(notes!, 'utf8').length,
    refusals: () => readFileSync(checks!, 'utf8').length,
    async stop() {
      child.kill('SIGTERM');
      return exited;
    },
  };
}

it('restarts the host after a change, and awaits the next one while the change is faulty', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'vitrine-reload-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const sources = path.join(folder, 'sources');
  mkdirSync(sources);
  const host = start(folder);
  await expect.poll(host.starts).toBe(1);
  writeFileSync(path.join(sources, 'a.ts'), '1');
  await expect.poll(host.starts).toBe(2);
  writeFileSync(path.join(sources, 'wrong'), '1');
  await expect.poll(host.refusals).toBeGreaterThan(0);
  rmSync(path.join(sources, 'wrong'));
  await expect.poll(host.starts).toBe(3); // so it was not started for the faulty one
  expect(await host.stop()).toBe(0);
});
