import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** One import of a file by another, types and `import()` included; paths are relative to the checkout. */
interface Edge {
  readonly from: string;
  readonly to: string;
}

/**
 * Every import between the files of some folders. Tests are left out: a folder `tests` belongs to the room that it stands in, and is
 * imported by nobody.
 */
export function importsOf(root: string, folders: readonly string[]): readonly Edge[] {
  const files = globSync(
    folders.map((folder) => `${folder}/**/*.{ts,tsx,mjs}`),
    { cwd: root },
  )
    .map((file) => file.split(path.sep).join('/'))
    .filter((file) => !/(^|\/)(tests|template|node_modules)\//.test(file));
  return files.flatMap((from) =>
    ts
      .preProcessFile(readFileSync(path.join(root, from), 'utf8'), true, true)
      .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
      .map(({ fileName }) => ({ from, to: path.posix.join(path.posix.dirname(from), fileName.replace(/\?.*$/, '')) })),
  );
}

/** The imports that lead from one folder into another, by `from -> to`. Every folder is a room of its own, nested ones too. */
export function folderEdges(edges: readonly Edge[]): ReadonlyMap<string, readonly Edge[]> {
  const between = edges.filter(({ from, to }) => path.posix.dirname(from) !== path.posix.dirname(to));
  return Map.groupBy(between, ({ from, to }) => `${path.posix.dirname(from)} -> ${path.posix.dirname(to)}`);
}

/** The groups of folders in which each leads to each other: `edges` are written `from -> to`. */
export function knots(edges: Iterable<string>): readonly (readonly string[])[] {
  const next = new Map<string, string[]>();
  for (const edge of edges) {
    const [from = '', to = ''] = edge.split(' -> ');
    next.set(from, [...(next.get(from) ?? []), to]);
  }
  const reached = new Map([...next.keys()].map((folder) => [folder, reachable(folder, next)]));
  const seen = new Set<string>();
  return [...next.keys()].flatMap((folder) => {
    if (seen.has(folder) || !reached.get(folder)?.has(folder)) return [];
    const knot = [...(reached.get(folder) ?? [])].filter((other) => reached.get(other)?.has(folder)).sort();
    for (const other of knot) seen.add(other);
    return [knot];
  });
}

/** The fewest edges that lead from a folder back to itself; none where there is no circle. */
export function shortestCircle(edges: readonly string[]): readonly string[] {
  let best: readonly string[] = [];
  for (const start of edges) {
    let paths: readonly (readonly string[])[] = [[start]];
    const seen = new Set<string>();
    while (paths.length > 0 && (best.length === 0 || (paths[0]?.length ?? 0) < best.length)) {
      const closed = paths.find((steps) => headOf(steps) === start.split(' -> ')[0]);
      if (closed) best = closed;
      paths = paths.flatMap((steps) => {
        const head = headOf(steps);
        if (head === undefined || seen.has(head)) return [];
        seen.add(head);
        return edges.filter((edge) => edge.startsWith(`${head} -> `)).map((edge) => [...steps, edge]);
      });
    }
  }
  return best;
}

/** The folder that a row of edges leads to. */
function headOf(steps: readonly string[]): string | undefined {
  return steps.at(-1)?.split(' -> ')[1];
}

function reachable(start: string, next: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [...(next.get(start) ?? [])];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    if (found.has(folder)) continue;
    found.add(folder);
    open.push(...(next.get(folder) ?? []));
  }
  return found;
}
