import { isAlias, isMap, isNode, isScalar, isSeq, LineCounter, parseAllDocuments, visit } from 'yaml';
import type { Alias, Document, Node, Pair, YAMLMap } from 'yaml';
import type { PlacedFault, PolicyFault, Position } from './policy-error.ts';

/** Maximum growth of a file by YAML aliases, as a number of copies. */
const MAX_COPIES = 100;
/** Maximum number of aliases; each is looked up among all. */
const MAX_ALIASES = 1000;
/** Maximum nesting of a file, each key and each value counted: readers recurse as deep. */
const MAX_DEPTH = 500;
const TOO_DEEP = 'nested too deeply';
/** Names of properties that all objects have: not allowed as keys. */
const RESERVED = ['__proto__', 'prototype', 'constructor'];

/** A parsed YAML file with the places of its values. */
interface PolicyText {
  readonly value: unknown;
  /** Position of a value, or of its key; for a missing value, of its nearest parent. */
  place(path: readonly (string | number)[], key?: boolean): Position;
}

/** Outcome of reading YAML. */
type TextOutcome = { readonly text: PolicyText } | { readonly faults: readonly PlacedFault[] };

/** Reads YAML 1.2 with string keys, no tags but the core's, and one document. */
export function readText(source: string): TextOutcome {
  const lines = new LineCounter();
  const position = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const parsed = parseAllDocuments(source, {
    lineCounter: lines,
    prettyErrors: false,
    stringKeys: true,
    uniqueKeys: false, // the parser compares each key with all before it; `checkNodes` does not
    version: '1.2',
    schema: 'core',
  });
  const documents = Array.isArray(parsed) ? parsed : [];
  const [document] = documents;
  if (!document) return { faults: [{ line: 1, column: 1, message: 'the file is empty' }] };
  const issues = documents.flatMap(({ errors, warnings }) => [...errors, ...warnings]);
  // The parser ends one level, and goes on, where the stack overflows: its report of that level and of the rest depends
  // on the size of the stack.
  const overflows = issues.filter(({ message }) => /call stack|stack overflow/i.test(message));
  if (overflows.length > 0) {
    const offset = Math.min(...overflows.map(({ pos }) => pos[0]));
    return { faults: [{ ...position(offset), message: TOO_DEEP }] };
  }
  const faults: PlacedFault[] = issues.map(({ message, pos }) => ({
    ...position(pos[0]),
    message: message.split('\n', 1)[0] ?? message,
  }));
  const second = documents[1];
  if (second) faults.push({ ...position(second.range[0]), message: 'a second document: only one is allowed' });
  const { targets, wrong } = checkNodes(document);
  const deep = wrong.find(({ message }) => message === TOO_DEEP);
  if (deep) return { faults: [{ ...position(deep.at?.range?.[0] ?? 0), message: TOO_DEEP }] }; // whose brackets may all be open
  faults.push(...wrong.map(({ at, message }) => ({ ...position(at?.range?.[0] ?? 0), message })));
  if (faults.length > 0) return { faults };
  try {
    const places = new Places(document.contents, targets);
    const value: unknown = document.toJS({ maxAliasCount: MAX_COPIES });
    return { text: { value, place: (path, key) => position(places.offset(path, key)) } };
  } catch (thrown) {
    return { faults: [{ line: 1, column: 1, message: thrown instanceof Error ? thrown.message : String(thrown) }] };
  }
}

/** Adds positions in the text to faults. */
export function placed(text: PolicyText, faults: readonly PolicyFault[]): PlacedFault[] {
  return faults.map(({ path, message, key }) => ({ ...text.place(path, key), message }));
}

interface Checked {
  /** Target of each alias. */
  readonly targets: ReadonlyMap<Alias, Node>;
  readonly wrong: readonly { readonly at: Node | undefined; readonly message: string }[];
}

/** Finds faults of a document that the parser accepts, in one walk. */
function checkNodes(document: Document): Checked {
  const targets = new Map<Alias, Node>();
  const wrong: { at: Node | undefined; message: string }[] = [];
  const anchors = new Map<string, Node>();
  visit(document, {
    Node(_key, node, parents) {
      if (parents.length > MAX_DEPTH) {
        wrong.push({ at: node, message: TOO_DEEP });
        return visit.BREAK;
      }
      if (!isAlias(node)) {
        if (node.anchor !== undefined) anchors.set(node.anchor, node);
        return undefined;
      }
      const { source } = node;
      const target = anchors.get(source);
      if (!target) wrong.push({ at: node, message: `there is no anchor &${source} before *${source}` });
      else if (parents.includes(target)) wrong.push({ at: node, message: `*${source} is within its own &${source}` });
      else targets.set(node, target);
      return undefined;
    },
    Map(_key, map, parents) {
      if (parents.length > MAX_DEPTH) {
        wrong.push({ at: map, message: TOO_DEEP });
        return visit.BREAK;
      }
      if (map.anchor !== undefined) anchors.set(map.anchor, map);
      const names = new Set<string>();
      for (const { key } of map.items) {
        if (!isScalar(key)) continue;
        const name = String(key.value);
        if (names.has(name)) wrong.push({ at: key, message: `Map keys must be unique: duplicate ${name}` });
        if (RESERVED.includes(name)) wrong.push({ at: key, message: `${name} cannot be a name` });
        names.add(name);
      }
      return undefined;
    },
  });
  if (targets.size > MAX_ALIASES)
    wrong.push({
      at: undefined,
      message: `${targets.size} aliases, more than ${MAX_ALIASES}`,
    });
  return { targets, wrong };
}

/** Finds the positions of values. */
class Places {
  readonly #root: unknown;
  readonly #targets: ReadonlyMap<Alias, Node>;
  readonly #pairs = new WeakMap<YAMLMap, ReadonlyMap<string, Pair>>();

  constructor(root: unknown, targets: ReadonlyMap<Alias, Node>) {
    this.#root = root;
    this.#targets = targets;
  }

  /** Offset of a value, or of its deepest parent that exists. */
  offset(path: readonly (string | number)[], wantsKey = false): number {
    let node = this.#root;
    let offset = isNode(node) ? (node.range?.[0] ?? 0) : 0;
    for (const [index, step] of path.entries()) {
      const found = this.#child(node, step);
      if (!found) break;
      const isLast = index === path.length - 1;
      const { key, value } = found;
      const chosen = (isLast && wantsKey) || !isNode(value) ? (key ?? value) : value;
      if (isNode(chosen)) offset = chosen.range?.[0] ?? offset;
      node = value;
    }
    return offset;
  }

  #child(node: unknown, step: string | number): { key?: Node; value: unknown } | undefined {
    const target = isAlias(node) ? this.#targets.get(node) : node;
    if (isSeq(target)) {
      const value = target.items[Number(step)];
      return value === undefined ? undefined : { value };
    }
    const pair = isMap(target) ? this.#pairsOf(target).get(String(step)) : undefined;
    return pair && { ...(isNode(pair.key) && { key: pair.key }), value: pair.value };
  }

  #pairsOf(map: YAMLMap): ReadonlyMap<string, Pair> {
    let pairs = this.#pairs.get(map);
    if (!pairs) {
      pairs = new Map(map.items.flatMap((pair) => (isScalar(pair.key) ? [[String(pair.key.value), pair]] : [])));
      this.#pairs.set(map, pairs);
    }
    return pairs;
  }
}
