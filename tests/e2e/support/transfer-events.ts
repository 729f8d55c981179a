import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Lines of a plugin's event file of transfers, once there is one, in a host whose `--data` is in this folder. */
export function transferEvents(folder: string, plugin: string): readonly Readonly<Record<string, unknown>>[] {
  const file = path.join(folder, 'data/events', `${plugin}.transfers.jsonl`);
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1); // one that is being written has no end yet
  return lines.map((line) => (JSON.parse(line) as { event: Record<string, unknown> }).event); // of the host
}
