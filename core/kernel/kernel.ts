import { AppError, toAppError } from '../protocol/errors.ts';
import type { Kernel, Recorder, Recording, Root } from '../contracts/kernel.ts';
import { arrange } from './arrange.ts';
import { Changes, splitAttributeKey } from './changes.ts';
import { dom, NODE } from './dom.ts';
import { FlushSchedule } from './flush-schedule.ts';
import { Ids } from './ids.ts';
import type { Entry } from './ids.ts';
import { LateShadows } from './late-shadows.ts';
import { noRecorder } from './no-recorder.ts';
import { Roots } from './roots.ts';
import { shadowOf } from './shadow.ts';
import { Shortcuts } from './shortcuts.ts';
import { Walk } from './walk.ts';

/** Milliseconds between polls of state that no event reports. */
const POLL_MS = 100;
/** Number of changes, or of nodes that one change adds, from which a batch of changes counts as large. */
const LARGE_RECORDS = 500;
const LARGE_NODES = 200;
/** Delay in ms before a kernel restarts after a failed flush. */
const RECOVERY_MS = 1000;

/** The kernel of this frame's document. */
export class FrameKernel implements Kernel, Recording {
  readonly #onFault: (fault: AppError) => void;
  readonly #changes = new Changes();
  readonly #schedule = new FlushSchedule(() => this.flush());
  readonly #roots: Roots;
  /** Callbacks of page halves, for each flush and each poll. */
  readonly #callbacks = { flush: new Set<() => void>(), poll: new Set<() => void>() };
  readonly #shortcuts = new Shortcuts();
  #recorder: Recorder = noRecorder;
  #ids = new Ids();
  #late!: LateShadows;
  #walk!: Walk;
  #departed: Entry[] = [];
  #epoch = randomEpoch();
  #started = false;
  #fresh = true;
  #held = false;

  constructor(onFault: (fault: AppError) => void) {
    this.#onFault = onFault;
    this.#roots = new Roots((records) => {
      this.#changes.add(records, this.#ids);
      if (isLarge(records) || this.#schedule.isOverdue || this.#recorder.isUrgent(records)) this.flush();
      else this.schedule();
    });
    this.#roots.listen('keydown', this.#shortcuts.hear);
    this.#forget();
  }

  /** Starts to observe; the first flush follows immediately. */
  start(): void {
    this.#started = true;
    setInterval(() => this.#poll(), POLL_MS);
    this.flush();
  }

  get epoch(): number {
    return this.#epoch;
  }

  idOf(node: Node): number {
    return this.#ids.of(node)?.id ?? 0;
  }

  nodeOf(id: number): Node | undefined {
    return this.#ids.get(id)?.node;
  }

  shadowOf(element: Element): ShadowRoot | null {
    return shadowOf(element);
  }

  roots(): Iterable<Root> {
    return this.#roots;
  }

  position(): { readonly epoch: number; readonly seq: number } {
    return { epoch: this.#epoch, seq: this.#recorder.seq };
  }

  onFlush(collect: () => void): () => void {
    this.#callbacks.flush.add(collect);
    return () => this.#callbacks.flush.delete(collect);
  }

  onPoll(poll: () => void): () => void {
    this.#callbacks.poll.add(poll);
    return () => this.#callbacks.poll.delete(poll);
  }

  listen(type: string, listener: (event: Event) => void): () => void {
    return this.#roots.listen(type, listener);
  }

  onShortcut(shortcuts: readonly string[], press: (shortcut: string, isRepeat: boolean) => void): () => void {
    return this.#shortcuts.add(shortcuts, press);
  }

  record(recorder: Recorder): Recording {
    if (this.#recorder !== noRecorder) throw new AppError('already-recorded', 'the kernel already has a recorder');
    this.#recorder = recorder;
    this.restart();
    return this;
  }

  hold(held: boolean): void {
    this.#held = held;
    if (!held) this.schedule();
  }

  restart(): void {
    this.#forget();
    this.schedule();
  }

  schedule(): void {
    this.#schedule.schedule();
  }

  /** Writes all changes immediately. */
  flush(): void {
    this.#schedule.done();
    if (!this.#started || this.#held) return;
    try {
      this.#changes.add(this.#roots.takeRecords(), this.#ids);
      this.#write();
    } catch (thrown) {
      this.#onFault(toAppError(thrown, 'flush-failed'));
      this.#started = false;
      setTimeout(() => {
        this.#started = true;
        this.restart();
      }, RECOVERY_MS);
    }
  }

  #write(): void {
    const documentEntry = this.#ids.of(document);
    if (documentEntry && this.#changes.parents.has(documentEntry)) {
      this.#roots.relisten();
      if (this.#recorder.outdated()) this.#forget();
    }
    if (this.#fresh) this.#begin();
    this.#writeTree();
    this.#writeValues();
    this.#changes.clear();
    for (const collect of this.#callbacks.flush) {
      try {
        collect();
      } catch (thrown) {
        this.#onFault(toAppError(thrown, 'collect-failed'));
      }
    }
    this.#recorder.end();
  }

  /** Drops all ids: the next flush starts a new epoch. */
  #forget(): void {
    if (!this.#fresh) this.#epoch = randomEpoch();
    this.#fresh = true;
    this.#ids = new Ids();
    this.#roots.clear();
    this.#changes.clear();
    const ids = this.#ids;
    const recorder = this.#recorder;
    this.#late = new LateShadows((host, root) => this.#walk.attach(host, root));
    this.#walk = new Walk({
      ids,
      recorder,
      onShadow: (root) => this.#roots.add(root),
      onHost: (entry) => this.#late.watch(entry),
      onMoved: (parent) => this.#changes.parents.add(parent),
    });
  }

  #begin(): void {
    this.#fresh = false;
    this.#recorder.begin(this.#epoch);
    this.#changes.parents.add(this.#ids.add(document, null));
    this.#roots.add(document);
  }

  #writeTree(): void {
    const { parents, attributes } = this.#changes;
    for (const entry of parents) this.#late.check(entry);
    for (const entry of attributes.keys()) this.#late.check(entry);
    this.#late.sweep();
    for (const entry of parents) while (parents.has(entry)) this.#arrange(this.#highest(entry));
    const gone = this.#departed.filter((entry) => entry.id !== 0 && entry.parent === null);
    this.#departed = [];
    if (gone.length === 0) return;
    this.#recorder.remove(gone.map((entry) => entry.id));
    for (const entry of gone) this.#ids.release(entry, (root) => this.#roots.delete(root));
  }

  /** The topmost changed parent above an entry, or itself: child lists are arranged from the top down. */
  #highest(entry: Entry): Entry {
    const { parents } = this.#changes;
    if (parents.size === 1) return entry;
    let highest = entry;
    for (let node = above(entry.node); node; node = above(node)) {
      const ancestor = this.#ids.of(node);
      if (ancestor && parents.has(ancestor)) highest = ancestor;
    }
    return highest;
  }

  /** Skips a parent that has been removed and not inserted elsewhere: its whole subtree is about to be removed. */
  #arrange(parent: Entry): void {
    this.#changes.parents.delete(parent);
    if (!isPlaced(parent)) return;
    arrange(parent, {
      ids: this.#ids,
      recorder: this.#recorder,
      walk: this.#walk,
      onDeparted: (entry) => this.#departed.push(entry),
    });
  }

  #writeValues(): void {
    const { attributes, texts, contents } = this.#changes;
    for (const [{ id, node }, keys] of attributes) {
      if (id === 0) continue;
      for (const key of keys) this.#recorder.attribute(node as Element, id, ...splitAttributeKey(key)); // only elements have attributes
    }
    for (const { id, node } of texts) if (id !== 0) this.#recorder.data(node as CharacterData, id); // kept as text
    for (const { id, node } of contents) if (id !== 0) this.#recorder.content(node as Element, id); // kept as opaque elements
  }

  #poll(): void {
    if (!this.#started || this.#held || !dom.isVisible(document)) return;
    for (const poll of this.#callbacks.poll) {
      try {
        poll();
      } catch (thrown) {
        this.#onFault(toAppError(thrown, 'poll-failed'));
      }
    }
    this.#late.allow();
    this.flush();
  }
}

/** Whether the layout of these changes will take long. Then the changes are sent before it, because the person waits for them. */
function isLarge(records: readonly MutationRecord[]): boolean {
  return records.length >= LARGE_RECORDS || records.some(({ addedNodes }) => addedNodes.length >= LARGE_NODES);
}

function isPlaced(entry: Entry): boolean {
  let top = entry;
  while (top.parent) top = top.parent;
  return top.node === document && entry.id !== 0;
}

function randomEpoch(): number {
  return 1 + Math.floor(Math.random() * 0x7ffffffe);
}

/** The parent of a node; for a shadow root, its host. */
function above(node: Node): Node | null {
  return dom.nodeType(node) === NODE.fragment ? (node as ShadowRoot).host : dom.parentNode(node);
}
