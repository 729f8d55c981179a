import { ELEMENT_FLAGS, MAX_NODE_ID, NAMESPACE, NO_STRING, RECORD } from '../../ops.ts';
import type { Op } from '../../ops.ts';
import { externalReference } from './addresses.ts';
import { OWN_FAMILIES } from './css-policy.ts';
import type { AddressContext } from './addresses.ts';
import { isLazy, mayAnimate, safeValue } from './attributes.ts';
import {
  ANIMATED_NAME,
  elementOf,
  IMAGE,
  INPUT,
  inputOf,
  isAnimation,
  LAZY_IMAGE,
  NODE,
  ruleOf,
  SECRET_INPUT,
  STILL_ANIMATION,
} from './element-classes.ts';
import type { ElementClass } from './element-classes.ts';
import { MAX_ATTRIBUTES, MAX_DEPTH, refused } from './grammar.ts';
import type { NodeTable } from './node-table.ts';
import type { Originals } from './originals.ts';
import { ALWAYS_SET, ORIGINAL_PREFIX, ORIGINALS, SECRET_TYPE, TEXT_LIKE_TYPES, TYPE_ATTRIBUTE } from './policy.ts';
import type { Rule } from './policy.ts';
import type { Strings } from './strings.ts';

/** A reference of a `use` element into another file, to be set once the file is loaded; without an address: it is removed. */
export interface UseJob {
  readonly id: number;
  /** Name of the attribute. */
  readonly name: string;
  readonly address?: string;
  /** `#id` in the file. */
  readonly fragment?: string;
}

/** State that a sanitized stream is added to. */
interface StreamTarget {
  readonly strings: Strings;
  readonly stringCount: number;
  readonly nodes: NodeTable;
  readonly originals: Originals;
  readonly context: AddressContext;
  readonly uses: UseJob[];
}

/** First record of an insert op. */
const STREAM_START = 4;

/** Sanitizes the streams of insert ops of one batch. */
export class StreamReader {
  readonly #target: StreamTarget;
  readonly #elements = new Map<number, ReturnType<typeof elementOf>>();
  readonly #rules = new Map<number, Rule>();
  readonly #safe = new Map<Rule, Map<number, string | undefined>>();

  constructor(target: StreamTarget) {
    this.#target = target;
  }

  /**
   * Sanitizes an insert op whose first fields have been checked; adds its nodes to the table.
   *
   * @param silent whether text directly in the parent is not sent
   * @throws AppError `mirror-refused` when the stream breaks the grammar.
   */
  insert(op: Op, silent: boolean): number[] {
    const { nodes, strings, stringCount } = this.#target;
    const out = op.slice(0, STREAM_START);
    let id = op[3] as number; // the grammar has checked it
    let at = STREAM_START;
    /** Number of children that each open node still expects, and whether their text is silent. */
    const remaining: number[] = [];
    const silence: boolean[] = [];
    // A stream of one shadow root belongs to the parent itself.
    const late = op[at] === RECORD.shadow;
    let expectShadow = late;
    const next = (): number => {
      const value = op[at++];
      if (value === undefined) throw refused('a stream ends too early');
      return value;
    };
    const descend = (children: number, quiet: boolean): void => {
      if (children < 0 || children > op.length) throw refused('a stream has a wrong count');
      remaining.push(children);
      silence.push(quiet);
      if (remaining.length > MAX_DEPTH) throw refused('a stream is too deep');
    };
    while (at < op.length) {
      if (late && at > STREAM_START && remaining.length === 0) throw refused('a shadow record is out of place');
      const record = next();
      if (expectShadow !== (record === RECORD.shadow)) throw refused('a shadow record is out of place');
      const parent = remaining.length - 1;
      if (!expectShadow && parent >= 0) remaining[parent] = (remaining[parent] ?? 0) - 1;
      expectShadow = false;
      if (id > MAX_NODE_ID || nodes.get(id) !== NODE.unknown) throw refused('a node id is used twice');
      const quiet = silence.at(-1) ?? silent;
      if (record === RECORD.text) {
        const text = this.#index(next(), stringCount);
        nodes.set(id++, quiet ? NODE.silentText : NODE.text);
        out.push(RECORD.text, quiet ? strings.add('') : strings.passText(text));
      } else if (record === RECORD.shadow) {
        const flags = next();
        if (flags < 0 || flags > 7) throw refused('a shadow record has unknown flags');
        const children = next();
        nodes.set(id++, NODE.shadow);
        out.push(RECORD.shadow, flags, children);
        descend(children, false);
      } else if (record === RECORD.element) {
        const namespace = next();
        if (namespace < NAMESPACE.html || namespace > NAMESPACE.other)
          throw refused('an element has an unknown namespace');
        const element = this.#element(namespace, this.#index(next(), stringCount));
        const flags = next();
        if (flags < 0 || flags > 7) throw refused('an element has unknown flags');
        const attributes = next();
        if (attributes < 0 || attributes > MAX_ATTRIBUTES) throw refused('an element has too many attributes');
        out.push(RECORD.element, namespace, strings.add(element.name), flags);
        const countAt = out.push(0) - 1;
        let kind = this.#kindOf(element.class, op, at, attributes);
        for (let n = 0; n < attributes; n++) {
          const name = this.#index(next(), stringCount);
          kind = this.attribute(out, kind, name, this.#index(next(), stringCount), id);
        }
        for (const [name, value] of kind.always)
          if (!this.#has(out, countAt, name)) out.push(strings.add(name), strings.add(value));
        out[countAt] = (out.length - countAt - 1) / 2;
        const children = next();
        out.push(children);
        nodes.set(id++, kind.index);
        descend(children, kind.silent);
        expectShadow = (flags & ELEMENT_FLAGS.shadow) !== 0;
      } else throw refused('a stream has an unknown record');
      while (!expectShadow && remaining.at(-1) === 0) {
        remaining.pop();
        silence.pop();
      }
    }
    if (remaining.length > 0 || expectShadow) throw refused('a stream ends too early');
    return out;
  }

  /** Appends a sanitized attribute, if any, as name and value; returns the class of the element from now on. */
  attribute(out: number[], of: ElementClass, name: number, value: number, id: number): ElementClass {
    const { strings, originals } = this.#target;
    const rule = this.rule(of, name);
    if (rule === 'keep') {
      out.push(strings.pass(name), strings.passText(value));
      return of;
    }
    const text = strings.text(value);
    const safe = this.safe(rule, value, text);
    if (rule === 'use' && safe === undefined) this.use(id, name, text);
    if (safe !== undefined) out.push(strings.pass(name), strings.add(safe));
    const original = this.original(of, name);
    if (original !== undefined && (safe !== text || ALWAYS_SET.has(original)))
      out.push(strings.add(ORIGINAL_PREFIX + original), strings.add(originals.text(id, original, text)));
    const type = text.toLowerCase();
    if (rule !== 'input-type' || !TEXT_LIKE_TYPES.has(type)) return of;
    out.push(strings.add(TYPE_ATTRIBUTE), strings.add(type));
    return of === SECRET_INPUT ? of : inputOf(type);
  }

  /** Sanitizes a text by a rule: once, since a page half may use the same text any number of times. */
  safe(rule: Rule, index: number, text: string): string | undefined {
    const { context } = this.#target;
    let known = this.#safe.get(rule);
    if (!known) this.#safe.set(rule, (known = new Map<number, string | undefined>()));
    const found = known.get(index);
    if (found !== undefined || known.has(index)) return found;
    const safe = safeValue(rule, text, context);
    known.set(index, safe);
    return safe;
  }

  /** Returns the name of the attribute that keeps an original value; undefined when no selector could ask for it. */
  original(of: ElementClass, name: number): string | undefined {
    const lower = this.#target.strings.text(name).toLowerCase();
    return of.originals && ORIGINALS.has(lower) ? lower : undefined;
  }

  /** Records the reference of a `use` element into another file, or its removal. */
  use(id: number, name: number, reference: string | undefined): void {
    const { strings, context, uses } = this.#target;
    const found = reference === undefined ? undefined : externalReference(reference, context);
    uses.push({ id, name: strings.text(name), ...found });
  }

  /** Returns the rule of an attribute, by the index of its name. */
  rule(of: ElementClass, name: number): Rule {
    const key = of.index * 0x100000 + name;
    let rule = this.#rules.get(key);
    if (!rule) this.#rules.set(key, (rule = ruleOf(of, this.#target.strings.text(name))));
    return rule;
  }

  #element(namespace: number, name: number): ReturnType<typeof elementOf> {
    const key = namespace * 0x100000 + name;
    let element = this.#elements.get(key);
    if (element) return element;
    element = elementOf(namespace, this.#target.strings.text(name));
    this.#elements.set(key, element);
    if (namespace === NAMESPACE.html)
      for (const family of OWN_FAMILIES.get(element.name) ?? []) this.#target.context.fonts?.named.add(family);
    return element;
  }

  #index(value: number, count: number): number {
    if (value < -1 || value >= count) throw refused('a stream has a string out of range');
    return value;
  }

  /** Whether one of the next attributes has a property. */
  #some(op: Op, at: number, attributes: number, is: (name: string, value: string) => boolean): boolean {
    const text = (index = NO_STRING): string => this.#target.strings.text(index);
    for (let n = 0; n < attributes; n++) if (is(text(op[at + 2 * n]), text(op[at + 2 * n + 1]))) return true;
    return false;
  }

  /** Returns the class of an element, given its next attributes. */
  #kindOf(of: ElementClass, op: Op, at: number, attributes: number): ElementClass {
    const some = this.#some.bind(this, op, at, attributes);
    if (of === IMAGE) return some(isLazy) ? LAZY_IMAGE : of;
    if (of === INPUT) return some(isSecret) ? SECRET_INPUT : of;
    return isAnimation(of) && !some((name, value) => name === ANIMATED_NAME && mayAnimate(value))
      ? STILL_ANIMATION
      : of;
  }

  #has(out: readonly number[], countAt: number, name: string): boolean {
    const index = this.#target.strings.add(name);
    for (let at = countAt + 1; at < out.length; at += 2) if (out[at] === index) return true;
    return false;
  }
}

/** Whether an attribute makes an input a password field. */
function isSecret(name: string, value: string): boolean {
  return name.toLowerCase() === 'type' && value.toLowerCase() === SECRET_TYPE;
}
