import { fileTypeFromBlob } from 'file-type';
import { containerType } from './containers.ts';
import type { FileBytes } from './format/file-bytes.ts';
import { typed } from './format/file-groups.ts';
import type { FileType, Inside } from './format/file-groups.ts';
import { isMail } from './mail.ts';
import { isOle, readOle } from './ole.ts';
import { isTar } from './tar.ts';
import { textType } from './text-type.ts';
import { readZipDirectory } from './zip-directory.ts';
import { hasZipTail } from './zip-tail.ts';
import { zipType } from './zip-type.ts';

/** First bytes of a file that tell its type; an ISO image says so after 32 KiB. */
export const HEAD_BYTES = 40_960;

/** Time for the package that knows magic numbers, in ms: it walks the boxes and chunks of hostile files. */
const DEADLINE_MS = 2000;

/** Entries of a zip file that are looked at for its type. */
const MAX_ENTRIES = 10_000;

/** Class of the root storage of a Windows installer package. */
const MSI_CLASS = '84100c0000000000c000000000000046';

const UNKNOWN = typed('application/octet-stream', 'bin');

const startsWith = (head: Uint8Array, text: string): boolean =>
  Buffer.from(head.subarray(0, text.length)).toString('latin1') === text;

async function oleType(file: FileBytes): Promise<FileType> {
  const directory = await readOle(file);
  const names = new Set(directory?.entries.map(({ name }) => name));
  if (directory?.classId === MSI_CLASS) return typed('application/x-msi', 'msi');
  if (names.has('EncryptedPackage'))
    return { mime: 'application/x-ole-encrypted', extension: 'docx', group: 'document' };
  if (names.has('WordDocument')) return typed('application/msword', 'doc');
  if (names.has('Workbook') || names.has('Book')) return typed('application/vnd.ms-excel', 'xls');
  if (names.has('PowerPoint Document')) return typed('application/vnd.ms-powerpoint', 'ppt');
  if (names.has('__properties_version1.0') || names.has('__nameid_version1.0'))
    return typed('application/vnd.ms-outlook', 'msg');
  return { mime: 'application/x-cfb', extension: 'cfb', group: 'document' };
}

/** Types whose magic numbers are as short as they are dangerous: not left to a package that asks for more. */
function programType(head: Uint8Array): FileType | undefined {
  const word = head.length >= 8 ? Buffer.from(head.subarray(0, 8)).readUInt32BE(0) : 0;
  if (startsWith(head, 'MZ')) return typed('application/x-msdownload', 'exe');
  if (startsWith(head, '\u007fELF')) return typed('application/x-elf', 'elf');
  if ([0xfe_ed_fa_ce, 0xfe_ed_fa_cf, 0xce_fa_ed_fe, 0xcf_fa_ed_fe].includes(word))
    return typed('application/x-mach-binary', 'macho');
  // Universal programs of macOS share their number with Java classes, whose version is higher than any count of processors.
  if (word === 0xca_fe_ba_be) {
    const count = Buffer.from(head).readUInt32BE(4);
    return count < 40 ? typed('application/x-mach-binary', 'macho') : typed('application/java-vm', 'class');
  }
  return undefined;
}

/** Readers of PDF look for its beginning in the first kilobyte. */
const isPdf = (head: Uint8Array): boolean => Buffer.from(head.subarray(0, 1024)).includes('%PDF-');

async function packageType(head: Uint8Array): Promise<FileType | undefined> {
  // As a blob its reads wait for the event loop, so that the deadline ends it.
  const signal = AbortSignal.timeout(DEADLINE_MS);
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, DEADLINE_MS, undefined).unref());
  const bytes = Uint8Array.from(head);
  const found = await Promise.race([fileTypeFromBlob(new Blob([bytes]), { signal }).catch(() => undefined), late]);
  if (!found) return undefined;
  const { mime, ext } = found;
  if (ext === 'gz' || ext === 'tar.gz') return typed('application/gzip', 'gz', 'gzip');
  return typed(mime.split(';', 1)[0] ?? mime, ext);
}

async function typeOfHead(file: FileBytes, head: Uint8Array): Promise<FileType> {
  if (head.length === 0) return typed('text/plain', 'txt');
  const program = programType(head);
  if (program) return program;
  if (isOle(head)) return oleType(file);
  if (startsWith(head, 'PK\u0003\u0004') || startsWith(head, 'PK\u0005\u0006')) {
    const directory = await readZipDirectory(file, MAX_ENTRIES).catch(() => undefined);
    return directory ? zipType(file, directory.entries) : typed('application/zip', 'zip', 'zip');
  }
  if (isTar(head)) return typed('application/x-tar', 'tar', 'tar');
  if (isPdf(head)) return typed('application/pdf', 'pdf');
  return (await containerType(file, head)) ?? textType(head) ?? (await packageType(head)) ?? UNKNOWN;
}

/**
 * A file's type by its bytes: never by its name or by what a server declared. Reads at most 40 KiB, the end of the file, and of zip and OLE files the
 * directory. A file whose bytes say nothing is `application/octet-stream`.
 */
export async function fileType(file: FileBytes): Promise<FileType> {
  const head = await file.read(0, HEAD_BYTES);
  const type = await typeOfHead(file, head);
  const inside: Inside[] = [];
  if (type.container === undefined && isPdf(head)) inside.push('pdf');
  const isMessage = type.container === undefined && isMail(head, head.length < HEAD_BYTES);
  if (isMessage) inside.push('mail');
  if (type.container !== 'zip' && (await hasZipTail(file))) inside.push('zip');
  if (inside.length === 0) return type;
  return { ...(isMessage && type.extension === 'txt' ? typed('message/rfc822', 'eml') : type), inside };
}
