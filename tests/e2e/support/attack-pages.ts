import { readFileSync } from 'node:fs';
import path from 'node:path';
import { aimedAt } from '../../security/attacks.ts';
import type { Attack } from '../../security/attacks.ts';
import type { Canary } from './canary.ts';
import { MARK } from './hostile-pages.ts';
import type { Site } from './site.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../security/pages');
/** Files that the collections' payloads request by relative names. */
const FILES: Readonly<Record<string, readonly string[]>> = {
  'hostile.css': ['/test.css'],
  'hostile.svg': ['/test.svg', '/test2.svg', '/test3.svg', '/test4.svg', '/test5.svg', '/font.svg'],
};
/** Functions that a payload calls to show that it has run. */
const CALLED = ['alert', 'confirm', 'prompt', 'print'];

/**
 * Serves an attack as a document of its own and returns its path. In it, functions that payloads call to show that they
 * have run request `/fired` of the site, its root element has the attribute `data-attack` with the path once it has
 * been parsed, and presses do not navigate the surrogate; an XML document has none of this.
 */
export function serveAttack(site: Site, canary: Canary, attack: Attack, index: number): string {
  const at = `/attack-${index}`;
  const payload = aimedAt(canary.host, attack.payload);
  const isXml = isXmlDocument(payload);
  const type = isXml
    ? 'application/xml'
    : /<meta[^>]*charset/i.test(payload)
      ? 'text/html'
      : 'text/html; charset=utf-8';
  const script = `addEventListener('click',(event)=>event.preventDefault(),true);for(const name of ${JSON.stringify(CALLED)})window[name]=()=>void(new Image().src='/fired?${index}');{const{get}=Object.getOwnPropertyDescriptor(Document.prototype,'documentElement');document.addEventListener('DOMContentLoaded',()=>get.call(document).setAttribute('data-attack','${at}'))}`; // the payload may name an element documentElement
  const text = isXml ? payload : `<!doctype html><script>${script}</script>${payload}`;
  site.on(at, (_request, response) => response.writeHead(200, { 'content-type': type }).end(text));
  return at;
}

/** Serves the files that the collections' payloads refer to. */
export function serveAttackFiles(site: Site, canary: Canary): void {
  for (const [file, paths] of Object.entries(FILES)) {
    const text = readFileSync(path.join(FOLDER, file), 'utf8')
      .replace(/\{\{run ([\w-]+)\}\}/g, 'alert(/$1/)')
      .replaceAll('{{site}}', site.origin)
      .replaceAll('{{canary}}', canary.origin)
      .replaceAll('{{canary-host}}', canary.host);
    const type = file.endsWith('.css') ? 'text/css' : 'image/svg+xml';
    for (const at of paths)
      site.on(at, (_request, response) => response.writeHead(200, { 'content-type': type }).end(text));
  }
}

/** Whether a payload is meant for an XML parser: then it is served as such. */
export function isXmlDocument(payload: string): boolean {
  return /^\s*<(?:\?xml|!DOCTYPE [^>]*\[)/i.test(payload);
}

/** Runs in every document of the person's browser: payloads that run there show in its console. */
export function tellCalls({ called, mark }: { readonly called: readonly string[]; readonly mark: string }): void {
  for (const name of called) Reflect.set(window, name, () => console.log(`${mark}${name}`));
}
/** Argument of {@link tellCalls}. */
export const CALLS = { called: CALLED, mark: MARK } as const;
