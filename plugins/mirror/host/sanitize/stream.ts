import { ELEMENT_FLAGS, MAX_NODE_ID, NAMESPACE, NO_STRING, RECORD } from '../../ops.ts';
import type { Op } from '../../ops.ts';
import { externalReference } from './addresses.ts';
import { OWN_FAMILIES } from './css-policy.ts';
import type { AddressContext } from './addresses.ts';
import { FORM_ACTION, isLazy, mayAnimate, safeValue } from './attributes.ts';
import {
  ANIMATED_NAME,
  elementOf,
  IMAGE,
  isAnimation,
  LAZY_IMAGE,
  MASKED_INPUT,
  NODE,
  ruleOf,
  STILL_ANIMATION,
} from './element-classes.ts';
import type { ElementClass } from './element-classes.ts';
import { MAX_ATTRIBUTES, MAX_DEPTH, refused } from './grammar.ts';
import type { NodeTable } from './node-table.ts';
import type { Originals } from './originals.ts';
import { ORIGINAL_PREFIX, ORIGINALS, TEXT_LIKE_TYPES, TYPE_ATTRIBUTE } from './policy.ts';
import type { Rule } from './policy.ts';
import type { Strings } from './strings.ts';

/** A reference of a `use` element into another file, to be set once the file is there; without an address: none any more. */
export interface UseJob {
  readonly id: number;
  /** Name of the attribute. */
  readonly name: string;
  readonly address?: string;
  /** `#id` in the file. */
  readonly fragment?: string;
}

/** What a sanitized stream goes into. */
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
   * The safe form of an insert op whose first fields have been checked; notes its nodes in the table.
   *
   * @param silent whether text right in the parent is not sent
   * @throws AppError `mirror-refused` when the stream does not fit the grammar.
   */
  insert(op: Op, silent: boolean): number[] {
    const { nodes, strings, stringCount } = this.#target;
    const out = op.slice(0, STREAM_START);
    let id = op[3] as number; // the grammar has checked it
    let at = STREAM_START;
    /** How many children each open node still expects, and whether their text is silent. */
    const remaining: number[] = [];
    const silence: boolean[] = [];
    // A stream of nothing but a shadow root belongs to the parent itself.
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
        if (kind.name === 'form' && !this.#has(out, countAt, 'action')) {
          out.push(strings.add('action'), strings.add(FORM_ACTION));
        }
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

  /** Appends the safe form of an attribute, if any, as name and value; answers with what the element is from now on. */
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
    if (original !== undefined && safe !== text)
      out.push(strings.add(ORIGINAL_PREFIX + original), strings.add(originals.text(id, original, text)));
    if (rule !== 'input-type' || !TEXT_LIKE_TYPES.has(text.toLowerCase())) return of;
    out.push(strings.add(TYPE_ATTRIBUTE), strings.add(text.toLowerCase()));
    return MASKED_INPUT;
  }

  /** The safe form of a text under a rule: made once, since a page half may name the same text as often as it likes. */
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

  /** The name of an attribute that is kept where it is changed; undefined when nobody would ask for it. */
  original(of: ElementClass, name: number): string | undefined {
    const lower = this.#target.strings.text(name).toLowerCase();
    return of.originals && ORIGINALS.has(lower) ? lower : undefined;
  }

  /** Notes what a `use` element refers to, if it is in another file; or that it does not any more. */
  use(id: number, name: number, reference: string | undefined): void {
    const { strings, context, uses } = this.#target;
    const found = reference === undefined ? undefined : externalReference(reference, context);
    uses.push({ id, name: strings.text(name), ...found });
  }

  /** The rule of an attribute, by the index of its name. */
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

  /** Whether one of the attributes that follow makes an image a lazy one. */
  #hasLazy(op: Op, at: number, attributes: number): boolean {
    const text = (index = NO_STRING): string => this.#target.strings.text(index);
    for (let n = 0; n < attributes; n++) if (isLazy(text(op[at + 2 * n]), text(op[at + 2 * n + 1]))) return true;
    return false;
  }

  /** What an element is whose attributes follow. */
  #kindOf(of: ElementClass, op: Op, at: number, attributes: number): ElementClass {
    if (of === IMAGE) return this.#hasLazy(op, at, attributes) ? LAZY_IMAGE : of;
    return isAnimation(of) && !this.#hasAnimated(op, at, attributes) ? STILL_ANIMATION : of;
  }

  /** Whether one of the attributes that follow names an attribute that an animation may set. */
  #hasAnimated(op: Op, at: number, attributes: number): boolean {
    const text = (index = NO_STRING): string => this.#target.strings.text(index);
    for (let n = 0; n < attributes; n++)
      if (text(op[at + 2 * n]) === ANIMATED_NAME && mayAnimate(text(op[at + 2 * n + 1]))) return true;
    return false;
  }

  #has(out: readonly number[], countAt: number, name: string): boolean {
    const index = this.#target.strings.add(name);
    for (let at = countAt + 1; at < out.length; at += 2) if (out[at] === index) return true;
    return false;
  }
}
