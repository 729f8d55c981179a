import { AppError } from '../../../host/plugin.ts';

const MAX_PARTS = 20;
const MAX_BYTES = 200;

/**
 * The path under which a file is staged, from its path in the chosen folder (`folder/a/b.txt`; empty for a single file) and its safe name.
 * Two files of one name get a number, as browsers give it to downloads.
 *
 * @param taken paths that have been given, and the number that the next file of this name begins with
 *
 * @throws AppError `bad-file-path`
 */
export function pathOf(path: string, name: string, taken: Map<string, number>): readonly string[] {
  const folders = path.split('/').slice(0, -1).map(partOf);
  if (folders.length >= MAX_PARTS) throw new AppError('bad-file-path', 'The folders are nested too deep.');
  const dot = name.lastIndexOf('.');
  const [base, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  const keyOf = (file: string): string => [...folders, file].join('/').toLowerCase();
  for (let number = taken.get(keyOf(name)) ?? 0; ; number++) {
    const file = number === 0 ? name : `${base} (${number})${ending}`;
    if (number > 0 && taken.has(keyOf(file))) continue;
    taken.set(keyOf(file), 1);
    taken.set(keyOf(name), number + 1);
    return [...folders, file];
  }
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
