import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { descendants, isRunning } from '../../tests/e2e/support/processes.ts';
import { PATIENCE_MS } from '../../core/testing/patience.ts';

const MAIN = path.resolve(import.meta.dirname, '../main.ts');
/** Code that makes the host throw an error that nobody catches. */
const FAULT = `process.on('SIGUSR2', () => setTimeout(() => { throw new Error('a fault of ours'); }))`;

it('logs an uncaught error, and stops the host with its surrogates and an exit code', async () => {
  const data = mkdtempSync(path.join(os.tmpdir(), 'vitrine-fault-'));
  chmodSync(data, 0o755); // surrogates run as somebody else
  const preload = `--import=data:text/javascript,${encodeURIComponent(FAULT)}`;
  const host = spawn(process.execPath, [preload, MAIN, '--port', '0', '--data', data], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => host.once('exit', resolve));
  let words = '';
  for (const stream of [host.stdout, host.stderr]) stream.on('data', (chunk: Buffer) => (words += chunk.toString()));
  try {
    await expect.poll(() => words, { timeout: PATIENCE_MS }).toContain('Vitrine is ready');
    const profiles = (): string[] => readdirSync(path.join(data, 'surrogates/profiles'));
    await expect.poll(profiles, { timeout: PATIENCE_MS }).not.toEqual([]);
    await expect.poll(() => descendants(host.pid ?? 0), { timeout: PATIENCE_MS }).not.toEqual([]);
    const surrogates = descendants(host.pid ?? 0);
    host.kill('SIGUSR2');
    expect(await ended).toBe(1);
    expect(words).toMatch(/a fault of ours.*the host has a fault and ends/s);
    expect(words).toContain('"stopped"');
    await expect.poll(() => surrogates.filter(({ pid }) => isRunning(pid)), { timeout: PATIENCE_MS }).toEqual([]);
    await expect.poll(profiles, { timeout: PATIENCE_MS }).toEqual([]);
  } finally {
    host.kill('SIGKILL');
    await ended;
    rmSync(data, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
});
