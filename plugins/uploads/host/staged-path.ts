import { AppError } from '../../../host/plugin.ts';

const MAX_PARTS = 20;
const MAX_BYTES = 200;
/** Longest name of a file in UTF-8 bytes: what file systems hold. */
const MAX_NAME_BYTES = 255;
/** On hosts other than Linux, names that differ in case alone are the same. */
const keyOf = (folders: readonly string[], file: string): string => {
  const path = [...folders, file].join('/');
  return process.platform === 'linux' ? path : path.toLowerCase();
};

/** Names of a file that is staged. */
interface StagedName {
  /** Path in the chosen folder (`folder/a/b.txt`); empty for a single file. */
  readonly path: string;
  /** As the person's browser says it. */
  readonly name: string;
  /** The name in its place where it is none of a file here. */
  readonly safe: string;
}

/**
 * The path under which a file is staged. The page sees the name that the file has on the person's device. Where it sees no paths each file has a
 * folder of its own; elsewhere two files of one name get a number, as browsers give it to downloads.
 *
 * @param asFolder whether the page sees paths
 * @param taken paths that have been given, and the number that the next file of this name begins with
 *
 * @throws AppError `bad-file-path`
 */
export function pathOf(
  { path, name: given, safe }: StagedName,
  asFolder: boolean,
  taken: Map<string, number>,
): readonly string[] {
  const name = isName(given) ? given : safe;
  const folders = asFolder ? path.split('/').slice(0, -1).map(partOf) : [String(taken.size)];
  if (folders.length >= MAX_PARTS) throw new AppError('bad-file-path', 'The folders are nested too deep.');
  const dot = name.lastIndexOf('.');
  const [base, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  for (let number = taken.get(keyOf(folders, name)) ?? 0; ; number++) {
    const file = number === 0 ? name : `${base} (${number})${ending}`;
    if (number > 0 && taken.has(keyOf(folders, file))) continue;
    taken.set(keyOf(folders, file), 1);
    taken.set(keyOf(folders, name), number + 1);
    return [...folders, file];
  }
}

/** Whether file systems hold a name, and tools that show it are not misled by controls. */
function isName(name: string): boolean {
  const isPlain = name.isWellFormed() && !/[\p{Cc}\\/]/u.test(name) && !/^\.{0,2}$/.test(name);
  return isPlain && Buffer.byteLength(name) <= MAX_NAME_BYTES;
}

/** A part of a path that stays one, whatever it was. */
function partOf(text: string): string {
  const plain = text
    .toWellFormed()
    .replace(/[\p{Cc}\\/]/gu, '_')
    .slice(0, MAX_BYTES);
  if (/^\.*$/.test(plain) || Buffer.byteLength(plain) > MAX_BYTES)
    throw new AppError('bad-file-path', 'The name of a folder is not valid.');
  return plain;
}
