import type { FileFindings, FileKind } from '../../../../host/plugin.ts';
import { fitsGlob } from './glob.ts';

/** A type as rules compare it; the extension has no dot. */
type RuledType = FileFindings['type'];

const KINDS: Readonly<Record<string, readonly FileKind[]>> = {
  documents: ['document'],
  archives: ['archive'],
  executables: ['executable', 'script'],
  scripts: ['script'],
  images: ['image'],
  audio: ['audio'],
  video: ['video'],
  markup: ['markup'],
  text: ['text'],
  fonts: ['font'],
  other: ['other'],
};

/** Kinds by extensions of names: what programs of people's devices take a file for, whatever is in it. */
const BY_EXTENSION: ReadonlyMap<string, FileKind> = new Map(
  (
    [
      [
        'document',
        'pdf rtf doc docx docm dot dotx dotm xls xlsx xlsm xlsb xlt xltx xltm xll ppt pptx pptm pps ppsx ppsm pot',
      ],
      ['document', 'potx potm odt ods odp odg epub mobi msg one pub vsd vsdx xps ps eps chm'],
      ['archive', 'zip rar 7z tar gz tgz bz2 tbz2 xz txz zst lz lzh lha arj ace cab cpio z iso img vhd vhdx dmg asar'],
      [
        'executable',
        'exe com scr pif cpl dll sys drv ocx msi msp msix appx application gadget lnk url reg inf scf jar class',
      ],
      ['executable', 'apk deb rpm pkg mpkg app elf so dylib wasm run appimage crx xpi swf jnlp desktop'],
      [
        'script',
        'bat cmd ps1 psm1 psd1 vbs vbe js jse mjs wsf wsh wsc sct hta sh bash zsh csh py pyw pl rb php lua applescript',
      ],
      ['image', 'jpg jpeg png gif webp bmp tif tiff ico avif heic heif psd'],
      ['audio', 'mp3 wav ogg oga flac m4a aac opus wma mid'],
      ['video', 'mp4 webm mkv avi mov wmv m4v mpg mpeg'],
      ['markup', 'html htm xhtml xht shtml mht mhtml xml svg svgz'],
      ['text', 'txt csv tsv md log json yaml yml ini ics vcf vtt srt'],
      ['font', 'woff woff2 ttf otf ttc eot'],
    ] as const
  ).flatMap(([kind, extensions]) => extensions.split(' ').map((each) => [each, kind] as const)),
);

/** The type that a name promises; undefined where it promises none that is known. It has no MIME type. */
function typeOfName(name: string): RuledType | undefined {
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  const group = name.includes('.') ? BY_EXTENSION.get(extension) : undefined;
  return group && { mime: '', extension, group };
}

function fits(word: string, { mime, extension, group }: RuledType): boolean {
  if (word.startsWith('.')) return word === `.${extension.toLowerCase()}`;
  if (word.includes('/')) return fitsGlob(mime.toLowerCase(), word);
  return KINDS[word]?.includes(group) === true || (word === 'images' && mime.startsWith('image/'));
}

const fitsOne = (words: readonly string[], type: RuledType): boolean => words.some((word) => fits(word, type));

/** Whether the name alone makes a file one of these types: it ends with the extension, or with one of the group. */
export function isNamedAs(words: readonly string[], name: string): boolean {
  const named = typeOfName(name);
  const lower = name.toLowerCase();
  return (
    words.some((word) => word.startsWith('.') && lower.endsWith(word)) || (named !== undefined && fitsOne(words, named))
  );
}

/** Whether a file is of one of these types, by its bytes or by its name: neither takes it out of the other. */
export const isOneOf = (words: readonly string[], type: RuledType, name: string): boolean =>
  fitsOne(words, type) || isNamedAs(words, name);

/**
 * Whether a file is surely of these types: its bytes are, and its name promises nothing else. Plain text is what its name says, where that is
 * a kind of text: bytes tell no CSV from a log.
 */
export function isSurelyOneOf(words: readonly string[], type: RuledType, name: string): boolean {
  const named = typeOfName(name);
  const isNamedText = type.mime === 'text/plain' && named?.group === 'text';
  if (!fitsOne(words, type) && !(isNamedText && fitsOne(words, named))) return false;
  return !named || named.group === type.group || named.extension === type.extension || fitsOne(words, named);
}
