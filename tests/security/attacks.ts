import { readFileSync } from 'node:fs';
import path from 'node:path';
import { CSS_ATTACKS } from './css-attacks.ts';
import { MODERN_ATTACKS } from './modern-attacks.ts';
import { OWN_ATTACKS } from './own-attacks.ts';

/** A hostile payload, shown as a document of its own. */
export interface Attack {
  /** Collection and title, for messages. */
  readonly name: string;
  /** Markup. */
  readonly payload: string;
}

interface Entry {
  readonly id?: number;
  readonly title?: string;
  readonly payload: string;
}

const FOLDER = path.resolve(import.meta.dirname, 'collections');
/** Addresses of other hosts, with any kind of slashes. Namespaces are names: nothing is fetched for them. */
const FOREIGN = /(?:https?:)?[/\\]{2}(?!www\.w(?:3|apforum)\.org)[a-z][\w-]*(?:\.[\w-]+)+/gi;

/** The attacks of `tests/security/collections`, each collection in its own order. */
export const COLLECTED: readonly Attack[] = ['dompurify', 'html5sec'].flatMap((collection) => {
  const text = readFileSync(path.join(FOLDER, `${collection}.json`), 'utf8');
  const entries = JSON.parse(text) as readonly Entry[]; // README.md says so
  return entries.map(({ id, title, payload }, index) => ({
    name: `${collection} ${id ?? index}${title ? ` (${title})` : ''}`,
    payload,
  }));
});

/** All attacks: the collections', and our own for cases that they lack. */
export const ATTACKS: readonly Attack[] = [...COLLECTED, ...OWN_ATTACKS, ...CSS_ATTACKS, ...MODERN_ATTACKS];

/** The payload with every other host in it replaced by `host`, as `name:port`: it sees all requests. */
export function aimedAt(host: string, payload: string): string {
  return payload
    .replaceAll('{{canary}}', `http://${host}`)
    .replace(FOREIGN, (found) => (/^https?:/i.test(found) ? `http://${host}` : found.slice(0, 2) + host));
}
