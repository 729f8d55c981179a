import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Browser, Page } from 'playwright';
import { descendants } from '../e2e/support/processes.ts';
import { chromiumPath, launchChromium } from '../fidelity/browser.ts';

/** The person's browser runs on another machine: here it must not wait for the host, or the neighbour's for anybody. */
export const ELSEWHERE = -19;
/** Time that the neighbour's page has to begin, in ms. */
const BEGIN_MS = 3000;

/** A Chromium with another niceness; without root it is not lower than usual. */
export async function launchNice(niceness: number): Promise<Browser> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'vitrine-bench-'));
  try {
    const script = path.join(folder, 'chromium');
    await writeFile(script, `#!/bin/sh\nexec nice -n ${niceness} '${chromiumPath()}' "$@"\n`, { mode: 0o700 });
    return await launchChromium(script);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Opens a page that need never be shown. */
export async function visit(page: Page, url: string): Promise<void> {
  await page.goto(url, { waitUntil: 'commit' });
  await delay(BEGIN_MS);
}

/** Process ids of the host's cells, the oldest first. */
export function cellsOf(host: number): number[] {
  return descendants(host)
    .filter(({ command }) => command.includes('cell.mjs'))
    .map(({ pid }) => ({ pid, start: startOf(pid) }))
    .sort((a, b) => a.start - b.start)
    .map(({ pid }) => pid);
}

/** Start of a process, in clock ticks since the machine started; ids of processes are reused. See proc(5). */
function startOf(pid: number): number {
  try {
    return Number(/.*\) (.*)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]?.split(' ')[19]);
  } catch {
    return Infinity; // it has ended meanwhile
  }
}
