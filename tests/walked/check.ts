import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Report } from '../reports.ts';
import { partsOfProtocol } from './parts.ts';
import { UNWALKED } from './unwalked.ts';

/** Whether a part is another one, or of it: a field of a message, a kind of a field. */
export function isOf(part: string, whole: string): boolean {
  return part === whole || (part.startsWith(whole) && /^[.= ]/.test(part.slice(whole.length)));
}

/** The parts that are not among those seen, without those of which a whole is missing, too. */
export function missingOf(parts: readonly string[], seen: ReadonlySet<string>): string[] {
  const missing = [...new Set(parts)].filter((part) => !seen.has(part));
  return missing.filter((part) => !missing.some((whole) => whole !== part && isOf(part, whole)));
}

/**
 * Holds what went over the channels of a whole run against the protocol: each part has to go over one, but those of the list.
 *
 * @param folder files of {@link WireWatch}
 */
export function reportWalked(folder: string): Report {
  const seen = new Set(
    readdirSync(folder).flatMap((name) => JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as string[]), // its own
  );
  const missing = missingOf(partsOfProtocol(), seen);
  const listed = Object.keys(UNWALKED);
  const unlisted = missing.filter((part) => !listed.some((whole) => isOf(part, whole)));
  const met = listed.filter((whole) => !missing.some((part) => isOf(part, whole) || isOf(whole, part)));
  if (met.length > 0) console.log(`Listed in tests/walked/unwalked.ts, and seen in this run: ${met.join(', ')}`);
  if (unlisted.length === 0) return { passed: 1, failures: [] };
  const reason = `No browser test has brought these over a channel: ${unlisted.join(', ')}`;
  console.log(reason);
  return { passed: 0, failures: [{ title: 'client and host say each part of the protocol', reason }] };
}
