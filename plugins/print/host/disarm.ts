const [SLASH, HASH, OTHER] = [0x2f, 0x23, 0x58];

/**
 * Names by which a PDF does something, or could keep it from being looked at here: links, scripts, forms, files and other actions;
 * objects in compressed or encrypted form. Chromium's own PDFs need none of them but for links.
 */
const ACTIVE = new Set(
  'ObjStm XRef Encrypt Annots AcroForm XFA Outlines Names OpenAction AA JS JavaScript Launch URI GoToR GoToE SubmitForm ImportData Movie Sound Rendition RichMedia EmbeddedFile EmbeddedFiles Filespec FFilter Collection'.split(
    ' ',
  ),
);
const LONGEST = Math.max(...[...ACTIVE].map(({ length }) => length));

/**
 * Takes from a PDF, in place, all that it could do when it is opened or clicked: what a hostile renderer has made goes to the viewer of
 * the person. Every byte that could begin a name is looked at, those within streams, too, so that there is no other way to read the file;
 * as names keep their length, so do its offsets.
 */
export function disarm(pdf: Uint8Array): void {
  for (let at = pdf.indexOf(SLASH); at !== -1; at = pdf.indexOf(SLASH, at + 1))
    if (ACTIVE.has(nameAt(pdf, at + 1))) pdf[at + 1] = OTHER;
}

/** A name with its escapes (`#41`) read, as far as one of ours could reach. */
function nameAt(pdf: Uint8Array, start: number): string {
  let name = '';
  for (let at = start; name.length <= LONGEST; at++) {
    let code = pdf[at] ?? 0;
    if (code === HASH) {
      code = Number.parseInt(String.fromCharCode(pdf[at + 1] ?? 0, pdf[at + 2] ?? 0), 16);
      at += 2;
    }
    const character = String.fromCharCode(code);
    if (!/[A-Za-z]/.test(character)) break;
    name += character;
  }
  return name;
}
