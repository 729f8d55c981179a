import type { EditMeans } from '../../../core/index.ts';
import type { Animations } from './animations.ts';
import { OP, SCROLL_SCALE, SHEET_SOURCE } from '../ops.ts';
import type { Batch, Op } from '../ops.ts';
import { isFrame, setAttribute } from './allowlist.ts';
import { Controls } from './controls.ts';
import { asElement, isHtml, nameOf, read, rootOf, typeOf, write } from './dom.ts';
import { Focus } from './focus.ts';
import { Gestures } from './gestures.ts';
import { watchHinting } from './hinting.ts';
import { preventNativeEffects } from './native.ts';
import type { CommonName, OpHandlers, ReadText } from './op-handlers.ts';
import type { PictureFault } from './picture-faults.ts';
import { Pictures } from './pictures.ts';
import type { Realm } from './realm.ts';
import { Scrolling } from './scrolling.ts';
import { contentOf, Sheets } from './sheets.ts';
import { LONGEST_SLICE_MS, SLICE_MS } from './slice.ts';
import type { Slice } from './slice.ts';
import { Stream, textAt } from './stream.ts';
import { closeDialog } from './modal.ts';
import { setTarget } from './targeted.ts';
import { Tree } from './tree.ts';

/** The client events for content that is not shown as it should be (S-155). */
type FrameFault =
  | 'tc-dom-frameset-error'
  | 'tc-doctype-load-mismatch'
  | 'tc-frame-load-timed-out'
  | 'tc-frame-helper-load-timed-out'
  | 'tc-domframe-invalid-domain'
  | PictureFault;

/** Events from a document to its owner. */
export interface DocumentEvents {
  /** An element shows a nested frame. */
  framed(owner: HTMLIFrameElement, frame: number): void;
  /** The person has scrolled the document or an element, to an offset in CSS px. */
  scrolled(document: MirrorDocument, scroller: Node, left: number, top: number): void;
  /** The person has changed a control by the browser's own means, after a press on an element in it. */
  edited(document: MirrorDocument, pressed: Element, by: EditMeans, value: string): void;
  /** Content of the frame is not shown as it should be. */
  broken(frame: number, event: FrameFault): void;
  /** An op could not be applied. */
  failed(document: MirrorDocument, code: number, thrown: unknown): void;
}

/** Handlers by code: each takes the fields that the table defines for its op. */
type ByCode<Args extends unknown[]> = Readonly<Partial<Record<number, (...args: Args) => unknown>>>;
interface Handlers {
  readonly elements: ByCode<[element: Element, op: never, text: ReadText]>;
  readonly others: ByCode<[op: never, text: ReadText]>;
}

/** Maximum length of an op that is applied fast. */
const SHORT_OP = 16;

/** One epoch of a frame: its nodes, sheets and state, rebuilt in a document of the view. */
export class MirrorDocument {
  readonly frame: number;
  readonly epoch: number;
  readonly realm: Realm;
  readonly tree: Tree;
  readonly sheets: Sheets;
  readonly scrolling: Scrolling;
  readonly #pictures: Pictures;
  readonly controls: Controls;
  readonly focus: Focus;
  readonly #events: DocumentEvents;
  readonly #life = new AbortController();
  /** State of animations, by element; kept until their module has been loaded. */
  readonly #animated = new Map<number, string>();
  #animations: Animations | undefined;
  #hasFrameset = false;
  /** Handlers of ops that many pages use. */
  readonly #common: OpHandlers<CommonName> = {
    elements: {
      [OP.attribute]: (element, [, , nameAt, valueAt], text) => {
        const name = text(nameAt) ?? '';
        const value = text(valueAt);
        if (value === undefined) closeDialog(element, name);
        setAttribute(element, name, value);
      },
      [OP.sheet]: (owner, [, , source, css, media, disabled], text) => {
        const content = contentOf(text(css), text(media), disabled);
        this.sheets.own(owner, source === SHEET_SOURCE.none ? undefined : content);
      },
      [OP.append]: (owner, [, , css], text) => this.sheets.append(owner, text(css) ?? ''),
      [OP.value]: (control, [, , value], text) => this.controls.value(control, text(value) ?? ''),
      [OP.splice]: (control, [, , start, deleted, length, added], text) =>
        this.controls.splice(control, start, deleted, length, text(added) ?? ''),
      [OP.checked]: (control, [, , bits]) => this.controls.checked(control, bits),
      [OP.selected]: (control, [, , ...indexes]) => this.controls.selected(control, indexes),
      [OP.caret]: (control, [, , start, end]) => this.focus.caret(control, start, end),
      [OP.defined]: (element, [, , bits]) => this.#define(element, bits),
      [OP.picture]: (element, [, , address], text) => this.#pictures.show(element, text(address) ?? ''),
      [OP.canvas]: (element, [, , width, height]) => this.#pictures.canvas(element, width, height),
      [OP.frame]: (owner, [, , frame]) => this.#frame(owner, frame),
    },
    others: {
      [OP.doc]: () => undefined, // it has created this document
      [OP.move]: ([, id, parent, before]) => this.tree.move(id, parent, before),
      [OP.text]: ([, id, data], text) => {
        const node = this.tree.known(id);
        if (this.controls.held.node === node) this.controls.held.data = text(data) ?? '';
        else if (typeOf(node) === 3) (node as Text).data = text(data) ?? ''; // by its type
      },
      [OP.define]: ([, id, css, media, disabled], text) =>
        this.sheets.define(id, contentOf(text(css), text(media), disabled)),
      [OP.adopt]: ([, id, ...sheets]) => {
        const node = this.tree.known(id);
        const root = rootOf(node);
        if (root === node) this.sheets.adopt(root, sheets);
      },
      [OP.scroll]: ([, id, x, y]) => {
        const node = this.tree.known(id);
        if ([1, 9].includes(typeOf(node))) this.scrolling.remote(node, x / SCROLL_SCALE, y / SCROLL_SCALE);
      },
      [OP.focus]: ([, id, isVisible]) => this.focus.focus(this.tree.element(id), isVisible !== 0),
      [OP.selection]: ([, anchor, from, focus, to]) =>
        this.focus.select(this.tree.node(anchor), from, this.tree.node(focus), to),
      [OP.target]: ([, id]) => this.scrolling.keep(() => setTarget(this.realm, this.tree.element(id))),
      [OP.animate]: ([, id, animations], text) => {
        this.#animated.delete(id); // keeps the newest last
        this.#animated.set(id, text(animations) ?? '');
      },
    },
  };

  constructor(frame: number, epoch: number, realm: Realm, events: DocumentEvents) {
    this.frame = frame;
    this.epoch = epoch;
    this.realm = realm;
    this.#events = events;
    const { signal } = this.#life;
    const { document } = realm;
    this.sheets = new Sheets(realm);
    watchHinting((on) => (this.sheets.unhinted = on), signal);
    this.tree = new Tree(realm, this.sheets);
    this.#pictures = new Pictures(realm, this.sheets);
    const gestures = new Gestures(document, signal);
    preventNativeEffects(document, signal);
    document.addEventListener('error', ({ target }) => this.#broken(target as Element), { capture: true, signal }); // of resources
    this.controls = new Controls(signal);
    void this.#with(import('./edits.ts'), OP.value, ({ watchEdits }) =>
      watchEdits(document, signal, this.controls, (...edit) => events.edited(this, ...edit)),
    );
    this.focus = new Focus(realm, gestures, signal, this.controls.held);
    this.scrolling = new Scrolling(realm, gestures, signal, (...scrolled) => events.scrolled(this, ...scrolled));
    this.sheets.commit();
  }

  /** Whether there is content: a page that is still being built should not replace the old one. */
  get hasContent(): boolean {
    const { document } = this.realm;
    const root = read(Document, document, 'documentElement') as Element | null;
    if (!root || nameOf(root) !== 'html') return !!root;
    const body = read(Document, document, 'body') as Element | null;
    return !!body && read(Node, body, 'firstChild') !== null;
  }

  /** Applies a batch; yields when the slice is over, and promises to wait for. Malformed ops and ops on unknown nodes have no effect. */
  *apply({ ops, strings }: Batch, slice: Slice): Generator<Promise<void> | undefined> {
    const text: ReadText = (index) => textAt(strings, index as unknown as number); // an index until it is read
    for (const op of ops) {
      if (slice.elapsed > (op.length > SHORT_OP ? SLICE_MS : LONGEST_SLICE_MS)) yield;
      try {
        const [code = 0] = op;
        const { elements, others }: Handlers = this.#common;
        if (code === OP.insert) yield* this.tree.insert(new Stream(op, strings), slice);
        else if (code === OP.remove) yield* this.tree.remove(new Stream(op, strings), slice);
        else if (elements[code] ?? others[code]) this.#one(this.#common, op, text);
        else yield this.#with(import('./rare-ops.ts'), code, ({ rareOps }) => this.#one(rareOps(this), op, text));
      } catch (thrown) {
        this.#events.failed(this, op[0] ?? 0, thrown);
      }
    }
    try {
      this.sheets.commit();
      this.scrolling.settle();
    } catch (thrown) {
      this.#events.failed(this, 0, thrown);
    }
    this.controls.held.drawn?.();
    if (this.#animated.size > 0) this.#animate();
    if (!this.#hasFrameset && isHtml(read(Document, this.realm.document, 'body'), 'frameset')) this.#watchFrameset();
  }

  /** Stops listening and empties the document. */
  dispose(): void {
    this.#life.abort();
    const { document } = this.realm;
    if (!document.defaultView) return;
    this.tree.clear();
    write(Document, document, 'adoptedStyleSheets', []);
  }

  /** Applies an op; one for elements has no effect on other nodes. @throws RangeError when it is unknown. */
  #one({ elements, others }: Handlers, op: Op, text: ReadText): unknown {
    const [code = 0, id = 0] = op;
    const apply = elements[code];
    if (!apply) {
      const other = others[code];
      if (!other) throw new RangeError('unknown op');
      return other(op as never, text); // by its code
    }
    const element = asElement(this.tree.known(id));
    return element && apply(element, op as never, text); // by its code
  }

  /** Objects and embeds with documents are rare: the first one loads the module that builds a frame in them. */
  #frame(owner: Element, frame: number): void {
    if (isFrame(owner)) this.#events.framed(owner, frame);
    else
      void this.#with(import('./framed-object.ts'), OP.frame, ({ frameIn }) => {
        const element = frameIn(this.realm, owner);
        if (element) this.#events.framed(element, frame);
      });
  }

  /** Reports a picture from the host that has not loaded, unless the host is away. The first one loads the module that finds the reason. */
  #broken(element: Element): void {
    if (!isHtml(element, 'img')) return;
    const address = read(HTMLImageElement, element as HTMLImageElement, 'currentSrc'); // by its name
    if (!address.includes('/c/i/')) return;
    void import('./picture-faults.ts')
      .then(
        ({ pictureFault }) => pictureFault(this.realm.window, address),
        () => 'tc-imgreq-failed' as const,
      )
      .then((fault) => {
        if (fault && !this.#life.signal.aborted) this.#events.broken(this.frame, fault);
      });
  }

  #watchFrameset(): void {
    this.#hasFrameset = true;
    void this.#with(import('./frameset.ts'), 0, ({ watchFrameset }) =>
      watchFrameset(this.realm, this.#life.signal, () => this.#events.broken(this.frame, 'tc-dom-frameset-error')),
    );
  }

  /** Few pages need animations: the first op of one loads their module. */
  #animate(): void {
    if (!this.#animations) {
      void this.#with(import('./animations.ts'), OP.animate, ({ Animations }) => {
        this.#animations ??= new Animations(this.realm, this.tree);
        this.#animate();
      });
      return;
    }
    for (const [id, text] of this.#animated) {
      try {
        this.#animations.apply(id, text);
      } catch (thrown) {
        this.#events.failed(this, OP.animate, thrown);
      }
    }
    this.#animated.clear();
  }

  /** Uses a module that few documents need once it has been loaded, unless the document is closed by then. Never rejects. */
  async #with<T>(module: Promise<T>, code: number, use: (module: T) => unknown): Promise<void> {
    try {
      const loaded = await module;
      if (!this.#life.signal.aborted) await use(loaded);
    } catch (thrown) {
      this.#events.failed(this, code, thrown);
    }
  }

  #define(element: Element, bits: number): void {
    if (bits === 0) return;
    const name = nameOf(element);
    const is = Element.prototype.getAttribute.call(element, 'is');
    if (is !== null) this.realm.define(is, name);
    else if (name.includes('-')) this.realm.define(name, undefined, (bits & 2) !== 0);
  }
}
