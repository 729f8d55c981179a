import { dom } from '../../../core/page.ts';
import { DOCUMENT_KINDS, MODES } from '../ops.ts';
import type { DocumentKind, Mode } from '../ops.ts';

/** Prefixes of public identifiers that mean limited quirks, as the HTML standard lists them (in lower case). */
const LIMITED = ['-//w3c//dtd xhtml 1.0 frameset//', '-//w3c//dtd xhtml 1.0 transitional//'];
/** The same, where the doctype has a system identifier; without one they mean quirks. */
const LIMITED_WITH_SYSTEM = ['-//w3c//dtd html 4.01 frameset//', '-//w3c//dtd html 4.01 transitional//'];

function startsWithAny(text: string, beginnings: readonly string[]): boolean {
  return beginnings.some((beginning) => text.startsWith(beginning));
}

function modeOf(): Mode {
  if (dom.compatMode(document) === 'BackCompat') return 'quirks';
  const doctype = dom.doctype(document);
  if (!doctype || kindOf() !== 'html') return 'standards';
  const name = doctype.publicId.toLowerCase();
  const limited = startsWithAny(name, LIMITED) || (startsWithAny(name, LIMITED_WITH_SYSTEM) && doctype.systemId !== '');
  return limited ? 'limited-quirks' : 'standards';
}

function kindOf(): DocumentKind {
  const type = dom.contentType(document);
  if (type === 'image/svg+xml') return 'svg';
  return document instanceof XMLDocument || /[/+]xml$/.test(type) ? 'xhtml' : 'html';
}

/** Returns the current mode and kind of this document, by number. */
export function documentKind(): [mode: number, kind: number] {
  return [MODES.indexOf(modeOf()), DOCUMENT_KINDS.indexOf(kindOf())];
}
