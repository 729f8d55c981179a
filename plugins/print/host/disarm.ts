import { setImmediate as nextTurn } from 'node:timers/promises';

/** `OTHER`, an underscore, begins none of the names below: each is another name with it. */
const [SLASH, HASH, OTHER] = [0x2f, 0x23, 0x5f];

/**
 * Names that give a PDF active content, or could prevent its inspection here: links, scripts, forms, files and other actions; objects in
 * compressed or encrypted form. Chromium's own PDFs need none of them except links. `First`, without which no reader finds the objects in a
 * stream: some take them from streams of any type.
 */
const ACTIVE = new Set(
  'ObjStm First XRef XRefStm Encrypt Annots AcroForm XFA Outlines Names OpenAction AA JS JavaScript Launch URI GoToR GoToE SubmitForm ImportData Movie Sound Rendition RichMedia EmbeddedFile EmbeddedFiles Filespec FFilter Collection'.split(
    ' ',
  ),
);
/** Names between two turns of the event loop: fewer than 50 ms of work. */
const TURN_NAMES = 50_000;
const LONGEST = Math.max(...[...ACTIVE].map(({ length }) => length));

/**
 * Disables all active content of a PDF, in place: a PDF from a hostile renderer goes to the person's viewer. Every byte that could start a
 * name is examined, including those in streams, so that no other parser can read the file differently. Names keep their length, so offsets
 * stay valid. Large documents are read in turns: the person's other tabs go on meanwhile.
 */
export async function disarm(pdf: Uint8Array): Promise<void> {
  let names = 0;
  for (let at = pdf.indexOf(SLASH); at !== -1; at = pdf.indexOf(SLASH, at + 1)) {
    if (ACTIVE.has(nameAt(pdf, at + 1))) pdf[at + 1] = OTHER;
    names += 1;
    if (names % TURN_NAMES === 0) await nextTurn();
  }
}

/** Decodes a name with its escapes (`#41`), up to the length of the longest name in the list. */
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
