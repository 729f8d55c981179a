import { OP, RECORD } from '../../../ops.ts';
import type { Batch } from '../../../ops.ts';
import { FrameSanitizer } from '../frame-sanitizer.ts';
import type { SafeBatch } from '../batch-sanitizer.ts';
import { testContext } from './context.ts';

/** A node as tests write it: text, or name, attributes and children; `svg:` and `math:` before a name select the namespace. */
export type Node = string | readonly [name: string, attributes: Readonly<Record<string, string>>, ...children: Node[]];

/** Writes batches like a page half. */
export class Page {
  readonly strings: string[] = [];
  readonly ops: number[][] = [];
  #next = 2;

  str(text: string): number {
    const known = this.strings.indexOf(text);
    return known >= 0 ? known : this.strings.push(text) - 1;
  }

  doc(url = 'https://site.test/dir/page.html'): this {
    this.ops.push([OP.doc, 0, 0, this.str(url), this.str(url)]);
    return this;
  }

  /** Inserts one node; returns its id. */
  insert(node: Node, parent = 1): number {
    const first = this.#next;
    this.ops.push([OP.insert, parent, 0, first, ...this.stream(node)]);
    return first;
  }

  stream(node: Node): number[] {
    this.#next++;
    if (typeof node === 'string') return [RECORD.text, this.str(node)];
    const [qualified, attributes, ...children] = node;
    const namespace = qualified.startsWith('svg:')
      ? 1
      : qualified.startsWith('math:')
        ? 2
        : qualified.startsWith('other:')
          ? 3
          : 0;
    const name = namespace === 0 ? qualified : qualified.slice(qualified.indexOf(':') + 1);
    const pairs = Object.entries(attributes);
    const head = [RECORD.element, namespace, this.str(name), 0, pairs.length];
    return [
      ...head,
      ...pairs.flatMap(([key, value]) => [this.str(key), this.str(value)]),
      children.length,
      ...children.flatMap((child) => this.stream(child)),
    ];
  }

  attribute(id: number, name: string, value?: string): this {
    this.ops.push([OP.attribute, id, this.str(name), value === undefined ? -1 : this.str(value)]);
    return this;
  }

  batch(seq = 1): Batch {
    return { epoch: 7, seq, more: false, strings: this.strings, ops: this.ops };
  }
}

/** Returns the nodes that the client would build from a batch's first insert. */
export function built(
  safe: Pick<SafeBatch, 'ops' | 'strings'>,
  op = safe.ops.find(([code]) => code === OP.insert) ?? [],
): Node[] {
  let at = 4;
  const next = (): number => op[at++] ?? NaN;
  const text = (): string => safe.strings[next()] ?? '';
  const read = (): Node => {
    if (next() === RECORD.text) return text();
    const namespace = next();
    const name = `${['', 'svg:', 'math:', 'other:'][namespace] ?? ''}${text()}`;
    next();
    const attributes: Record<string, string> = {};
    for (let count = next(); count > 0; count--) {
      const key = text();
      attributes[key] = text();
    }
    const children: Node[] = [];
    for (let count = next(); count > 0; count--) children.push(read());
    return [name, attributes, ...children];
  };
  const nodes: Node[] = [];
  while (at < op.length) nodes.push(read());
  return nodes;
}

const context = testContext();
export const fresh = (): FrameSanitizer => new FrameSanitizer(context.resource);

export function through(node: Node): Node {
  const page = new Page().doc();
  page.insert(node);
  return built(fresh().sanitize(page.batch()))[0] ?? '';
}

/** Returns the sanitized attributes of an element, without those that keep original values. */
export const attributesOf = (name: string, attributes: Record<string, string>): Readonly<Record<string, string>> =>
  Object.fromEntries(entriesOf(name, attributes).filter(([key]) => !key.startsWith('v-was-')));

/** Returns the attributes that keep original values of an element. */
export const originalsOf = (name: string, attributes: Record<string, string>): Readonly<Record<string, string>> =>
  Object.fromEntries(entriesOf(name, attributes).filter(([key]) => key.startsWith('v-was-')));

export const token = (address: string): string => context.resource('i', address);

function entriesOf(name: string, attributes: Record<string, string>): [string, string][] {
  return Object.entries(through([name, attributes])[1] as Record<string, string>); // an element stays an element
}

/** A node without the copy of an attribute that controls always have: when it is sanitized again, that attribute is taken for the page's. */
export function uncopied(node: Node): Node {
  if (typeof node === 'string') return node;
  const [element, { 'v-was-autocomplete': _copy, ...attributes }, ...children] = node;
  return [element, attributes, ...children.map(uncopied)];
}

/** The strings of a sanitized batch, with links as a site has them: addresses of ours mean nothing in one. */
export function ofSite(strings: readonly string[]): string[] {
  return strings.map((text) => text.replace(/^\/(?=https?:\/\/)/, ''));
}
