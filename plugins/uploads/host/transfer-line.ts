import type { ChosenFile } from '../protocol.ts';

const MAX_NAME = 255;

/** Part of a line of the event file that says which files an upload has: the first one's name, and the size of all. */
export function filesLine(files: readonly Pick<ChosenFile, 'name' | 'size'>[]): Readonly<Record<string, unknown>> {
  const [first] = files;
  if (!first) return {};
  const size = files.reduce((sum, file) => sum + file.size, 0);
  return { name: first.name.slice(0, MAX_NAME), size, ...(files.length > 1 && { files: files.length }) };
}
