import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Canary } from './canary.ts';
import type { Site } from './site.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../security/pages');
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.xhtml': 'application/xhtml+xml',
  '.svg': 'image/svg+xml',
  '.css': 'text/css',
};
/** Prefix of payloads' names in the console. */
export const MARK = 'hostile:';
/** The global that they set in the top window. */
export const MARK_GLOBAL = 'hostile';

/**
 * Code that reports its name when it runs: in the console, and as a global of the top window. It has no quotes, spaces
 * or angle brackets, so that it fits wherever a page can hide code.
 */
export function payload(name: string): string {
  return `void(top.${MARK_GLOBAL}=console.log(/${MARK}${name}/.source)||1)`;
}

/**
 * Serves the pages of `tests/security/pages` on a site, under their file names: `{{run x}}` in them is replaced by
 * reporting code, `{{site}}` by the site's own origin, `{{canary}}` by one that must not be reached.
 */
export function serveHostilePages(site: Site, canary: Canary): void {
  for (const name of readdirSync(FOLDER)) {
    const type = TYPES[path.extname(name)] ?? 'application/octet-stream';
    const text = readFileSync(path.join(FOLDER, name), 'utf8')
      .replace(/\{\{run ([\w-]+)\}\}/g, (_all, run: string) => payload(run))
      .replaceAll('{{site}}', site.origin)
      .replaceAll('{{canary}}', canary.origin)
      .replaceAll('{{canary-host}}', canary.host);
    site.on(`/${name}`, (_request, response) => response.writeHead(200, { 'content-type': type }).end(text));
    if (name === 'inner.html') site.on('/inner', text);
  }
  site.on('/served.js', (_request, response) =>
    response.writeHead(200, { 'content-type': 'text/javascript' }).end(payload('served')),
  );
  site.on('/redirect-to-canary', (_request, response) =>
    response.writeHead(302, { location: `${canary.origin}/redirected` }).end(),
  );
}
