/** Kinds of files that rules name. */
export type FileGroup =
  'document' | 'image' | 'audio' | 'video' | 'archive' | 'executable' | 'script' | 'markup' | 'text' | 'font' | 'other';

/** A file's type, from its bytes. */
export interface FileType {
  readonly mime: string;
  /** Usual extension, without dot. */
  readonly extension: string;
  readonly group: FileGroup;
  /** How its inside is read, where it is. */
  readonly container?: 'zip' | 'tar' | 'gzip';
}

const BY_EXTENSION: Readonly<Record<string, FileGroup>> = Object.fromEntries(
  (
    [
      [
        'document',
        'pdf rtf epub mobi ps eps docx docm dotx dotm xlsx xlsm xltx xltm pptx pptm potx potm ppsx ppsm odt ods odp odg ott ots otp otg',
      ],
      ['document', 'doc xls ppt msg vsdx pages numbers key chm pst dwg indd'],
      ['archive', 'zip tar rar gz tar.gz bz2 7z xz Z lz lzh zst lz4 arj ace cab cpio ar iso dmg asar'],
      ['executable', 'exe elf macho class wasm msi deb rpm jar apk crx xpi lnk url alias reg swf'],
      ['image', 'psd xcf cr2 cr3 dcm ktx'],
      ['text', 'txt ics vcf vtt'],
      ['markup', 'xml html svg'],
      ['font', 'woff woff2 ttf otf ttc eot'],
    ] as const
  ).flatMap(([group, extensions]) => extensions.split(' ').map((extension) => [extension, group])),
);

/** Group of a type: by its extension, else by the first half of its mime type. */
export function groupOf(mime: string, extension: string): FileGroup {
  const known = BY_EXTENSION[extension];
  if (known) return known;
  const half = mime.slice(0, mime.indexOf('/'));
  return half === 'image' || half === 'audio' || half === 'video' || half === 'font' || half === 'text'
    ? half
    : 'other';
}

/** A type with its group. */
export function typed(mime: string, extension: string, container?: FileType['container']): FileType {
  return { mime, extension, group: groupOf(mime, extension), ...(container && { container }) };
}

/** Parts of a pattern of rules, of which the longest is `application/vnd.openxmlformats-...`. */
const MIME = /^[\w.+-]+\/(?:\*|[\w.+-]+)$/;

/**
 * Whether a type, or the extension of a name, fits a pattern of rules: a mime type (`application/pdf`, `image/*`), a group (`executable`) or an
 * extension with its dot (`.exe`, which fits the name's as well as the detected one).
 */
export function matchesType(type: FileType, name: string, pattern: string): boolean {
  const wanted = pattern.toLowerCase();
  if (wanted.startsWith('.'))
    return name.toLowerCase().endsWith(wanted) || `.${type.extension.toLowerCase()}` === wanted;
  if (wanted.endsWith('/*')) return type.mime.startsWith(wanted.slice(0, -1));
  return MIME.test(wanted) ? type.mime === wanted : type.group === wanted;
}
