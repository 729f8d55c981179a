import { typed } from './format/file-groups.ts';
import type { FileBytes } from './format/file-bytes.ts';
import type { FileType } from './format/file-groups.ts';
import { dataStart } from './zip-locals.ts';
import type { ZipEntry } from './zip-directory.ts';

const OOXML = 'application/vnd.openxmlformats-officedocument.';
/** Office formats by the folder of their main part: mime type and extension, without and with macros. */
const OFFICE: Readonly<Record<string, readonly [string, string, string, string]>> = {
  'word/': [`${OOXML}wordprocessingml.document`, 'docx', 'application/vnd.ms-word.document.macroenabled.12', 'docm'],
  'xl/': [`${OOXML}spreadsheetml.sheet`, 'xlsx', 'application/vnd.ms-excel.sheet.macroenabled.12', 'xlsm'],
  'ppt/': [
    `${OOXML}presentationml.presentation`,
    'pptx',
    'application/vnd.ms-powerpoint.presentation.macroenabled.12',
    'pptm',
  ],
  'visio/': ['application/vnd.visio', 'vsdx', 'application/vnd.visio', 'vsdm'],
};

/** Types that a first, stored entry `mimetype` names. */
const NAMED: Readonly<Record<string, string>> = {
  'application/epub+zip': 'epub',
  'application/vnd.oasis.opendocument.text': 'odt',
  'application/vnd.oasis.opendocument.spreadsheet': 'ods',
  'application/vnd.oasis.opendocument.presentation': 'odp',
  'application/vnd.oasis.opendocument.graphics': 'odg',
};

async function named(file: FileBytes, entries: readonly ZipEntry[]): Promise<FileType | undefined> {
  const [first] = entries;
  if (first?.path !== 'mimetype' || first.method !== 0 || first.size > 128) return undefined;
  const start = await dataStart(file, first);
  if (start === undefined) return undefined;
  const mime = Buffer.from(await file.read(start, first.size))
    .toString('latin1')
    .trim();
  return NAMED[mime] === undefined ? undefined : typed(mime, NAMED[mime], 'zip');
}

/** Type of a zip file by the names in its directory: Office (with macros or without), OpenDocument, programs of Java and Android, or zip. */
export async function zipType(file: FileBytes, entries: readonly ZipEntry[]): Promise<FileType> {
  const paths = entries.map(({ path }) => path.toLowerCase());
  const has = (path: string): boolean => paths.includes(path);
  if (has('[content_types].xml')) {
    const office = Object.entries(OFFICE).find(([folder]) => paths.some((path) => path.startsWith(folder)))?.[1];
    const macros = paths.some((path) => /(?:^|\/)vba[^/]{0,64}\.bin$/.test(path) || path.includes('/macrosheets/'));
    if (office) return macros ? typed(office[2], office[3], 'zip') : typed(office[0], office[1], 'zip');
  }
  const byName = await named(file, entries);
  if (byName) return byName;
  if (has('androidmanifest.xml')) return typed('application/vnd.android.package-archive', 'apk', 'zip');
  if (has('meta-inf/manifest.mf')) return typed('application/java-archive', 'jar', 'zip');
  if (has('manifest.json') && has('meta-inf/mozilla.rsa')) return typed('application/x-xpinstall', 'xpi', 'zip');
  return typed('application/zip', 'zip', 'zip');
}
