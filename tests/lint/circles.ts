import path from 'node:path';
import { ENTRIES } from './exceptions.ts';
import { moduleRecord } from './module-record.ts';
import { readSources } from './sources.ts';
import type { Sources } from './sources.ts';

/** Import graph: each name with the names that it imports. */
type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** Tests may import any part of the code under test. */
const TEST = /(?:^|\/)tests\/|^core\/testing\/|^host\/cli\/template\//;

function add(graph: Map<string, Set<string>>, from: string, to: string): void {
  const targets = graph.get(from) ?? new Set<string>();
  graph.set(from, targets.add(to));
}

/** The imports between files: those at run time, `import()` included; with `types`, of types, too. */
export function fileGraph(sources: Sources, types: boolean): Graph {
  const graph = new Map<string, Set<string>>();
  for (const [file, text] of sources)
    for (const { specifier, isType } of moduleRecord(file, text).uses) {
      const target = path.posix.join(path.posix.dirname(file), specifier);
      if (specifier.startsWith('.') && sources.has(target) && (types || !isType)) add(graph, file, target);
    }
  return graph;
}

const folderOf = (file: string): string => (file in ENTRIES ? file : path.posix.dirname(file));

/** The imports between folders of the product, of types included. */
export function folderGraph(sources: Sources): Graph {
  const graph = new Map<string, Set<string>>();
  for (const [file, targets] of fileGraph(sources, true))
    for (const target of targets) {
      if (TEST.test(file) || TEST.test(target)) continue;
      const [from, to] = [folderOf(file), folderOf(target)];
      if (from !== to) add(graph, from, to);
    }
  return graph;
}

/** The same graph by rooms, the first two folders of a path: `host/cell` with all below it. */
export function roomGraph(folders: Graph): Graph {
  const roomOf = (name: string): string => name.split('/').slice(0, 2).join('/');
  const rooms = new Map<string, Set<string>>();
  for (const [from, targets] of folders)
    for (const to of targets) if (roomOf(from) !== roomOf(to)) add(rooms, roomOf(from), roomOf(to));
  return rooms;
}

/** The groups of names that reach each other (Tarjan's strongly connected components of more than one name). */
export function knots(graph: Graph): string[][] {
  const found: string[][] = [];
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const visit = (name: string): number => {
    const own = index.size;
    index.set(name, own);
    low.set(name, own);
    stack.push(name);
    for (const target of graph.get(name) ?? []) {
      const isNew = !index.has(target);
      if (!isNew && !stack.includes(target)) continue;
      const reached = isNew ? visit(target) : (index.get(target) ?? own);
      low.set(name, Math.min(low.get(name) ?? own, reached));
    }
    const lowest = low.get(name) ?? own;
    if (lowest === own) {
      const knot = stack.splice(stack.indexOf(name));
      if (knot.length > 1) found.push(knot.sort());
    }
    return lowest;
  };
  for (const name of graph.keys()) if (!index.has(name)) visit(name);
  return found;
}

/** The same graph without some imports, each as `from -> to`. */
export function without(graph: Graph, imports: readonly string[]): Graph {
  const less = ([from, targets]: readonly [string, ReadonlySet<string>]): [string, Set<string>] => [
    from,
    new Set([...targets].filter((to) => !imports.includes(`${from} -> ${to}`))),
  ];
  return new Map([...graph].map(less));
}

/** The imports within the strongly connected components of a graph, as `from -> to`. */
export function knotted(graph: Graph): string[] {
  return knots(graph).flatMap((knot) =>
    knot.flatMap((from) =>
      [...(graph.get(from) ?? [])].filter((to) => knot.includes(to)).map((to) => `${from} -> ${to}`),
    ),
  );
}

// `node tests/lint/circles.ts` lists the imports that make circles of folders.
if (process.argv[1] === import.meta.filename) {
  const root = path.resolve(import.meta.dirname, '../..');
  console.log(knotted(folderGraph(readSources(root))).join('\n'));
}
