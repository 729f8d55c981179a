import { isMap, isNode, isPair, isScalar, isSeq, LineCounter, parseAllDocuments, visit } from 'yaml';
import type { Document, Node, Pair } from 'yaml';
import type { PlacedFault, PolicyFault, Position } from './policy-error.ts';

/** What YAML aliases may blow a file up to, as a number of copies. */
const MAX_ALIASES = 100;
/** Names that objects have anyway: nobody can be called so. */
const RESERVED = ['__proto__', 'prototype', 'constructor'];

/** A YAML file with the places of what it says. */
export interface PolicyText {
  readonly value: unknown;
  /** Where a value, or its key, stands; for what is not there, where its nearest parent does. */
  place(path: readonly (string | number)[], key?: boolean): Position;
}

/** What reading YAML has come to. */
export type TextOutcome = { readonly text: PolicyText } | { readonly faults: readonly PlacedFault[] };

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
    version: '1.2',
    schema: 'core',
  });
  const documents = Array.isArray(parsed) ? parsed : [];
  const [document] = documents;
  if (!document) return { faults: [{ line: 1, column: 1, message: 'the file is empty' }] };
  const faults: PlacedFault[] = documents.flatMap(({ errors, warnings }) =>
    [...errors, ...warnings].map(({ message, pos }) => ({ ...position(pos[0]), message: firstLine(message) })),
  );
  const second = documents[1];
  if (second) faults.push({ ...position(second.range[0]), message: 'a second document: everything stands in one' });
  faults.push(...nodeFaults(document, position));
  if (faults.length > 0) return { faults };
  try {
    const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES });
    return { text: { value, place: (path, key) => position(offsetOf(document, path, key)) } };
  } catch (thrown) {
    return { faults: [{ line: 1, column: 1, message: thrown instanceof Error ? thrown.message : String(thrown) }] };
  }
}

/** Places faults in a text. */
export function placed(text: PolicyText, faults: readonly PolicyFault[]): PlacedFault[] {
  return faults.map(({ path, message, key }) => ({ ...text.place(path, key), message }));
}

function firstLine(message: string): string {
  return message.split('\n', 1)[0] ?? message;
}

function nodeFaults(document: Document, position: (offset: number) => Position): PlacedFault[] {
  const faults: PlacedFault[] = [];
  visit(document, {
    Alias(_key, node) {
      if (node.resolve(document) === undefined)
        faults.push({
          ...position(node.range?.[0] ?? 0),
          message: `there is no anchor &${node.source} before *${node.source}`,
        });
    },
    Pair(_index, { key }) {
      if (isScalar(key) && RESERVED.includes(String(key.value)))
        faults.push({ ...position(key.range?.[0] ?? 0), message: `${String(key.value)} cannot be a name` });
    },
  });
  return faults;
}

/** The offset of a value, or of the deepest parent of it that there is. */
function offsetOf(document: Document, path: readonly (string | number)[], wantsKey = false): number {
  let node: unknown = document.contents;
  let offset = isNode(node) ? (node.range?.[0] ?? 0) : 0;
  for (const [index, step] of path.entries()) {
    const found = child(node, step, document);
    if (!found) break;
    const isLast = index === path.length - 1;
    const { key, value } = found;
    const chosen = (isLast && wantsKey) || !isNode(value) ? (key ?? value) : value;
    if (isNode(chosen)) offset = chosen.range?.[0] ?? offset;
    node = value;
  }
  return offset;
}

function child(node: unknown, step: string | number, document: Document): { key?: Node; value: unknown } | undefined {
  const target = isNode(node) && 'resolve' in node ? node.resolve(document) : node;
  if (isSeq(target)) {
    const value = target.items[Number(step)];
    return value === undefined ? undefined : { value };
  }
  if (!isMap(target)) return undefined;
  const pair = target.items.find(
    (item): item is Pair => isPair(item) && isScalar(item.key) && String(item.key.value) === String(step),
  );
  return pair && { ...(isNode(pair.key) && { key: pair.key }), value: pair.value };
}
