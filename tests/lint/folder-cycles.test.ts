import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderEdges, importsOf, knots, shortestCircle } from './import-graph.ts';

/**
 * Imports between folders that still close a circle. This list only gets shorter: a circle is undone by moving what both sides need
 * into a folder below them, or by handing in what is imported upwards.
 */
const KNOWN: readonly string[] = [
  'host -> host/cell',
  'host -> host/gateway',
  'host -> host/plugins',
  'host/cell/page -> host/cell/tab',
  'host/cell/page -> host/plugins',
  'host/cell/session -> host/cell',
  'host/plugins/threads -> host/plugins',
  'host/policy -> host',
];

const edges = folderEdges(importsOf(path.resolve(import.meta.dirname, '../..'), ['core', 'plugins', 'host']));

/** The shortest circle among folders, and the files that make it, for whoever has closed it. */
function told(knot: readonly string[]): string {
  const inside = [...edges.keys()].filter((edge) => edge.split(' -> ').every((folder) => knot.includes(folder)));
  const circle = shortestCircle(inside);
  return circle
    .map((edge) => `${edge}: ${(edges.get(edge) ?? []).map(({ from, to }) => `${from} -> ${to}`).join(', ')}`)
    .join('\n');
}

describe('folders', () => {
  it('sees the imports of the repository', () => {
    expect(edges.has('core -> core/session')).toBe(true);
    expect(edges.size).toBeGreaterThan(100);
  });
  it('import each other in no circle, types included', () => {
    const allowed = [...edges.keys()].filter((edge) => !KNOWN.includes(edge));
    expect(knots(allowed).map(told)).toEqual([]);
  });
  it.each(KNOWN)('has the known circle of %s still', (edge) => {
    const without = KNOWN.filter((other) => other !== edge);
    const [from = '', to = ''] = edge.split(' -> ');
    const left = knots([...edges.keys()].filter((other) => !without.includes(other)));
    expect(left.some((knot) => knot.includes(from) && knot.includes(to))).toBe(true);
  });
});

describe('knots', () => {
  it('finds circles of two and of more folders, and a folder within another', () => {
    expect(knots(['a -> b', 'b -> a', 'b -> c', 'x -> x/y', 'x/y -> z', 'z -> x'])).toEqual([
      ['a', 'b'],
      ['x', 'x/y', 'z'],
    ]);
  });
  it('tells the shortest circle', () => {
    expect(shortestCircle(['a -> b', 'b -> c', 'c -> a', 'c -> d', 'd -> c'])).toEqual(['c -> d', 'd -> c']);
  });
  it('finds none where all imports lead down', () => {
    expect(knots(['a -> b', 'a -> c', 'b -> c', 'a -> a/d', 'a/d -> b'])).toEqual([]);
  });
});
