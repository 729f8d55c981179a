import { chmod, chown, mkdir } from 'node:fs/promises';
import { exchangeParts } from '../base/exchange.ts';
import type { ExchangeFolder } from '../base/exchange.ts';
import type { UidPair } from './uid-pool.ts';

/**
 * Makes the folders of one browser. With users of their own, each writes only into its own folder, reads that of the other through its
 * group, and nobody else enters. Chromium makes downloads readable for all (0644), so the group of the folder decides.
 */
export async function makeExchange(folder: string, users: UidPair | undefined): Promise<ExchangeFolder> {
  const parts = exchangeParts(folder);
  for (const made of [folder, parts.down, parts.up]) await mkdir(made, { mode: 0o700 });
  if (!users) return parts;
  const { cell, browser } = users;
  // The cell removes what it has read, so it may write; the browser is the owner.
  await chown(parts.down, browser.uid, cell.gid);
  await chmod(parts.down, 0o770);
  // Files get the group of the folder: the browser's.
  await chown(parts.up, cell.uid, browser.gid);
  await chmod(parts.up, 0o2750);
  // The outermost last: until then neither can reach those in it.
  await chown(folder, cell.uid, browser.gid);
  await chmod(folder, 0o710);
  return parts;
}
