import { dom, RUNS_SCRIPTS } from '../../../core/page.ts';
import type { Recorder } from '../../../core/page.ts';
import { ELEMENT_FLAGS, joinName, NAMESPACE_URI, NAMESPACE, OP, RECORD, SHADOW_FLAGS } from '../ops.ts';
import { isRelation } from '../relations.ts';
import { isControl } from './custom-elements.ts';
import { changedAttribute, eachAttribute } from './attributes.ts';
import { documentKind } from './document-kind.ts';
import { CUSTOM, POPOVER, RELATED } from './tracker.ts';
import type { Tracker } from './tracker.ts';
import type { Writer } from './writer.ts';

/** Writes the tree as ops, and notifies the trackers of their elements. */
export class MirrorRecorder implements Recorder {
  readonly #writer: Writer;
  readonly #trackers: readonly Tracker[];
  readonly #byName = new Map<string, Tracker[]>();
  #stream: number[] = [];
  /** Positions in the stream of the child counts of open records. */
  readonly #counts: number[] = [];
  #kind = documentKind();
  #base = '';
  /** Whether the body has just been written, and its content has not. */
  #atBody = false;

  constructor(writer: Writer, trackers: readonly Tracker[]) {
    this.#writer = writer;
    this.#trackers = trackers;
    for (const tracker of trackers)
      for (const name of tracker.names ?? []) this.#byName.set(name, [...(this.#byName.get(name) ?? []), tracker]);
  }

  get seq(): number {
    return this.#writer.seq;
  }

  begin(epoch: number): void {
    const writer = this.#writer;
    this.#stream = [];
    this.#counts.length = 0;
    this.#atBody = false;
    writer.begin(epoch);
    for (const tracker of this.#trackers) tracker.reset();
    this.#kind = documentKind();
    this.#base = dom.base(document);
    const still = RUNS_SCRIPTS ? 0 : 1;
    writer.op([OP.doc, ...this.#kind, dom.address(document), this.#base, still]);
  }

  outdated(): boolean {
    return String(documentKind()) !== String(this.#kind);
  }

  isUrgent(records: readonly MutationRecord[]): boolean {
    return this.#trackers.some((tracker) => tracker.isUrgent?.(records));
  }

  open(parent: number, before: number, first: number): void {
    this.#writeBase();
    this.#stream = [OP.insert, parent, before, first];
  }

  element(element: Element, id: number, hosts: boolean): void {
    const stream = this.#stream;
    const writer = this.#writer;
    const name = dom.localName(element);
    const namespace = namespaceNumber(dom.namespace(element));
    const isCustom = namespace === NAMESPACE.html && (name.includes('-') || dom.hasAttribute(element, 'is'));
    const flags = (hosts ? ELEMENT_FLAGS.shadow : 0) | (isCustom ? definitionFlags(element) : 0);
    stream.push(RECORD.element, namespace, writer.string(sentName(element, name, namespace)), flags, 0);
    const at = stream.length - 1;
    eachAttribute(element, (attribute, value) => {
      stream.push(writer.string(attribute), writer.string(value));
      if (attribute === 'popover') for (const tracker of this.#interested(POPOVER)) tracker.added?.(element, id, name);
      else if (value === '' && isRelation(attribute))
        for (const tracker of this.#interested(RELATED)) tracker.added?.(element, id, name);
    });
    if (!RUNS_SCRIPTS && name === 'noscript') stream.push(writer.string('v-shown'), writer.string(''));
    stream[at] = (stream.length - 1 - at) / 2;
    this.#counts.push(stream.push(0) - 1);
    this.#atBody = name === 'body' && element === dom.body(document);
    for (const tracker of this.#interested(name)) tracker.added?.(element, id, name);
    if (isCustom) for (const tracker of this.#interested(CUSTOM)) tracker.added?.(element, id, name);
  }

  text(text: CharacterData): void {
    this.#stream.push(RECORD.text, this.#writer.string(dom.data(text)));
  }

  shadow(root: ShadowRoot): void {
    const flags =
      (root.mode === 'closed' ? SHADOW_FLAGS.closed : 0) |
      (root.delegatesFocus ? SHADOW_FLAGS.delegatesFocus : 0) |
      (root.slotAssignment === 'manual' ? SHADOW_FLAGS.manualSlots : 0);
    this.#counts.push(this.#stream.push(RECORD.shadow, flags, 0) - 1);
  }

  leave(children: number): void {
    const at = this.#counts.pop();
    if (at !== undefined) this.#stream[at] = children;
  }

  close(): void {
    this.#writer.stream(this.#stream);
    if (!this.#atBody) return;
    this.#atBody = false;
    for (const tracker of this.#trackers) tracker.early?.();
  }

  full(): boolean {
    return this.#atBody || this.#writer.full(this.#stream.length);
  }

  move(id: number, parent: number, before: number): void {
    this.#writer.op([OP.move, id, parent, before]);
  }

  remove(ids: readonly number[]): void {
    this.#writer.op([OP.remove, ...ids]);
  }

  attribute(element: Element, id: number, localName: string, namespace: string | null): void {
    const changed = changedAttribute(element, localName, namespace);
    if (!changed) return;
    this.#writeBase();
    const writer = this.#writer;
    const [attribute, value] = changed;
    writer.op([OP.attribute, id, attribute, value]);
    for (const tracker of this.#interested(dom.localName(element))) tracker.changed?.(element, id, attribute);
    if (attribute === 'popover')
      for (const tracker of this.#interested(POPOVER)) tracker.changed?.(element, id, attribute);
    else if (isRelation(attribute))
      for (const tracker of this.#interested(RELATED)) tracker.changed?.(element, id, attribute);
  }

  data(text: CharacterData, id: number): void {
    this.#writer.op([OP.text, id, dom.data(text)]);
  }

  content(element: Element, id: number): void {
    for (const tracker of this.#interested(dom.localName(element))) tracker.content?.(element, id);
  }

  end(): void {
    this.#writeBase();
    this.#writer.end();
  }

  /** Runs before any op with addresses that the base resolves. */
  #writeBase(): void {
    const base = dom.base(document);
    if (base === this.#base) return;
    this.#base = base;
    this.#writer.op([OP.base, base]);
  }

  #interested(name: string): readonly Tracker[] {
    return this.#byName.get(name) ?? NOBODY;
  }
}

function definitionFlags(element: Element): number {
  if (!dom.matches(element, ':defined')) return ELEMENT_FLAGS.undefined;
  return isControl(element) ? ELEMENT_FLAGS.control : 0;
}

/** Name of `noscript` elements where scripts do not run: the view's own sheet hides elements named `noscript`. */
const SHOWN_NOSCRIPT = 'v-noscript';

/** Returns the name to send: with its namespace, where that has no number. */
function sentName(element: Element, name: string, namespace: number): string {
  if (namespace === NAMESPACE.other) return joinName(name, dom.namespace(element) ?? '');
  return !RUNS_SCRIPTS && name === 'noscript' ? SHOWN_NOSCRIPT : name;
}

const NOBODY: readonly Tracker[] = [];

function namespaceNumber(uri: string | null): number {
  const number = NAMESPACE_URI.indexOf((uri ?? '') as (typeof NAMESPACE_URI)[number]); // other addresses are not found
  return number < 0 ? NAMESPACE.other : number;
}
