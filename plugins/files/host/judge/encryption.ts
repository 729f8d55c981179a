import type { FileBytes } from './format/file-bytes.ts';
import { isOle, readOle } from './ole.ts';
import type { OleDirectory } from './ole.ts';

/** Bytes at both ends of a PDF that are searched: trailers stand at the end, that of a linearized file also at the beginning. */
const PDF_HEAD_BYTES = 65_536;
const PDF_TAIL_BYTES = 1_048_576;

/** An entry of a trailer or of a cross-reference stream: a reference or a dictionary follows. */
const PDF_ENCRYPT = /\/Encrypt[\s\0]{0,16}(?:\d{1,10}[\s\0]{1,16}\d{1,5}[\s\0]{1,16}R|<<)/;

const BIFF_BYTES = 4096;
const BIFF_FILE_PASS = 0x2f;

async function isPdfEncrypted(file: FileBytes): Promise<boolean> {
  const head = Buffer.from(await file.read(0, PDF_HEAD_BYTES)).toString('latin1');
  if (PDF_ENCRYPT.test(head)) return true;
  const from = Math.max(0, file.size - PDF_TAIL_BYTES);
  return PDF_ENCRYPT.test(Buffer.from(await file.read(from, PDF_TAIL_BYTES)).toString('latin1'));
}

/** Whether a workbook of Excel 97 has a FilePass record among its first ones. */
function hasFilePass(workbook: Buffer): boolean {
  for (let at = 0; at + 4 <= workbook.length; at += 4 + workbook.readUInt16LE(at + 2)) {
    if (workbook.readUInt16LE(at) === BIFF_FILE_PASS) return true;
  }
  return false;
}

async function isOleEncrypted(file: FileBytes, directory: OleDirectory): Promise<boolean> {
  for (const { name, start } of directory.entries) {
    if (name === 'EncryptedPackage' || name === 'EncryptedSummary') return true;
    const at = (start + 1) * directory.sectorBytes;
    if (name === 'WordDocument') {
      const flags = Buffer.from(await file.read(at, 12));
      if (flags.length === 12 && flags.readUInt16LE(0) === 0xa5_ec && (flags.readUInt16LE(10) & 0x01_00) !== 0)
        return true;
    }
    if (name === 'Workbook' || name === 'Book') {
      if (hasFilePass(Buffer.from(await file.read(at, BIFF_BYTES)))) return true;
    }
  }
  return false;
}

/** Whether a PDF or an Office document is encrypted, so that neither we nor a scanner can read it. Bounded reading. */
export async function isDocumentEncrypted(file: FileBytes): Promise<boolean> {
  const head = await file.read(0, 1024);
  if (Buffer.from(head).includes('%PDF-')) return isPdfEncrypted(file);
  if (!isOle(head)) return false;
  const directory = await readOle(file);
  return directory !== undefined && isOleEncrypted(file, directory);
}
