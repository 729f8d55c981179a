import { createHash } from 'node:crypto';
import { readFile, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import * as v from 'valibot';
import { randomNumbers } from '../../core/testing/random.ts';

const Coordinate = v.number();
const ActionSchema = v.union([
  v.strictTuple([v.literal('move'), Coordinate, Coordinate]),
  v.strictTuple([v.literal('click'), Coordinate, Coordinate]),
  v.strictTuple([v.literal('press'), v.string()]),
  v.strictTuple([v.literal('drag'), Coordinate, Coordinate, Coordinate, Coordinate]),
  v.strictTuple([v.literal('wait'), v.number()]),
]);
const ListSchema = v.array(v.object({ path: v.string(), actions: v.optional(v.array(ActionSchema), []) }));

/** Real input at viewport coordinates of the top page, or a wait in milliseconds. */
export type Action = v.InferOutput<typeof ActionSchema>;

export interface CorpusPage {
  /** From the corpus's root, with a leading slash. */
  readonly path: string;
  readonly actions: readonly Action[];
  /** The page sets `data-ready="1"` on its root when it is final. */
  readonly signalled: boolean;
}

export interface Corpus {
  readonly name: string;
  readonly root: string;
  readonly pages: readonly CorpusPage[];
  /** Changes when any file below the root does. */
  readonly digest: string;
}

/**
 * Reads a corpus: a folder with `list.json` or `list.txt`, a folder of pages, or such a list itself. Throws when there is
 * nothing to read or the list is malformed.
 */
export async function readCorpus(place: string): Promise<Corpus> {
  const info = await stat(place);
  const folder = path.resolve(info.isDirectory() ? place : path.dirname(place));
  const list = info.isDirectory() ? await listOf(folder) : path.resolve(place);
  const files = await filesBelow(folder);
  const pages = list === undefined ? plain(files.filter(isPage)) : await readList(list);
  return { name: path.basename(folder), root: folder, pages, digest: await digestOf(folder, files) };
}

async function listOf(folder: string): Promise<string | undefined> {
  const names = await readdir(folder);
  const name = ['list.json', 'list.txt'].find((candidate) => names.includes(candidate));
  return name === undefined ? undefined : path.join(folder, name);
}

async function readList(file: string): Promise<CorpusPage[]> {
  const text = await readFile(file, 'utf8');
  if (!file.endsWith('.json')) return plain(text.split('\n').filter((line) => line.trim() !== ''));
  return v.parse(ListSchema, JSON.parse(text)).map((entry) => ({ ...entry, signalled: true }));
}

function plain(paths: readonly string[]): CorpusPage[] {
  return paths.map((line) => ({ path: `/${line.trim().replace(/^\//, '')}`, actions: [], signalled: false }));
}

function isPage(file: string): boolean {
  return /\.(html?|xhtml|xht|svg)$/i.test(file);
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name))).sort();
}

async function digestOf(folder: string, files: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const file of files) {
    const { size, mtimeMs } = await stat(path.join(folder, file));
    hash.update(`${file}\0${size}\0${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

/** The same `count` items for the same seed, in the list's order. */
export function sample<T>(items: readonly T[], count: number, seed: number): T[] {
  const random = randomNumbers(seed);
  const drawn = items.map((item, index) => ({ item, index, lot: random() }));
  drawn.sort((a, b) => a.lot - b.lot);
  return drawn
    .slice(0, count)
    .sort((a, b) => a.index - b.index)
    .map(({ item }) => item);
}
