import type { FileKind } from '../../../../../host/plugin.ts';

/** A file's type, from its bytes. */
export interface FileType {
  readonly mime: string;
  /** Usual extension, without dot. */
  readonly extension: string;
  readonly group: FileKind;
  /** How its inside is read, where it is. */
  readonly container?: 'zip' | 'tar' | 'gzip';
  /** Further readings of it that programs know, beside the one that its type says: a zip file at its end, embedded files of a PDF. */
  readonly inside?: readonly Inside[];
}

/** A reading of a file beside that of its type. Its members are files of their own. */
export type Inside = 'zip' | 'pdf' | 'mail';

const BY_EXTENSION: Readonly<Record<string, FileKind>> = Object.fromEntries(
  (
    [
      [
        'document',
        'pdf rtf epub mobi ps eps docx docm dotx dotm xlsx xlsm xltx xltm pptx pptm potx potm ppsx ppsm odt ods odp odg ott ots otp otg',
      ],
      ['document', 'doc xls ppt msg vsdx pages numbers key chm pst dwg indd'],
      ['archive', 'zip tar rar gz tar.gz bz2 7z xz Z lz lzh zst lz4 arj ace cab cpio ar iso dmg asar'],
      ['archive', 'wim vhd vhdx vmdk qcow2 squashfs xar tnef'],
      ['executable', 'exe elf macho class wasm msi deb rpm jar apk crx xpi lnk url alias reg swf'],
      ['image', 'psd xcf cr2 cr3 dcm ktx'],
      ['text', 'txt eml ics vcf vtt'],
      ['markup', 'xml html svg'],
      ['font', 'woff woff2 ttf otf ttc eot'],
    ] as const
  ).flatMap(([group, extensions]) => extensions.split(' ').map((extension) => [extension, group])),
);

/** Group of a type: by its extension, else by the first half of its mime type. */
function groupOf(mime: string, extension: string): FileKind {
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
