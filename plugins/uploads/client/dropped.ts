import type { Entries } from './entries.ts';

/** A file that the person has chosen, dropped or pasted. */
export interface Picked {
  readonly file: File;
  /** Path in its folder, with `/`; empty for a single file. */
  readonly path: string;
}

/** Files of a picker. */
export function chosenOf(files: readonly File[]): readonly Picked[] {
  return files.map((file) => ({ file, path: file.webkitRelativePath }));
}

/** Most files that are looked for in folders: no policy allows as many. */
const MAX_FOUND = 1000;
/** Deepest folder that is entered. */
const MAX_DEPTH = 20;

/** Finds the files in what was dropped, folders included, in the order of the browser. Entries that cannot be read are left out. */
export async function filesOf(entries: Entries): Promise<readonly Picked[]> {
  const found: Picked[] = [];
  for (const entry of entries) {
    if (entry instanceof File) found.push({ file: entry, path: '' });
    else await collect(entry, '', found, 0);
  }
  return found;
}

async function collect(entry: FileSystemEntry, folder: string, found: Picked[], depth: number): Promise<void> {
  if (found.length >= MAX_FOUND || depth > MAX_DEPTH) return;
  try {
    if (entry.isFile) {
      const file = await new Promise<File>((resolve, reject) => {
        (entry as FileSystemFileEntry).file(resolve, reject); // by its kind
      });
      found.push({ file, path: folder === '' ? '' : folder + file.name });
    } else if (entry.isDirectory) {
      const reader = (entry as FileSystemDirectoryEntry).createReader(); // by its kind
      const inside = `${folder}${entry.name}/`;
      for (let batch = await read(reader); batch.length > 0; batch = await read(reader))
        for (const each of batch) await collect(each, inside, found, depth + 1);
    }
  } catch {
    // It has gone, or the person may not read it.
  }
}

/** Some of a folder's entries; none once all have been read. */
function read(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  return new Promise((resolve, reject) => {
    reader.readEntries(resolve, reject);
  });
}
