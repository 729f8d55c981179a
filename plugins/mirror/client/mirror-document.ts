import type { Animations } from './animations.ts';
import { OP, SCROLL_SCALE, SHEET_SOURCE } from '../ops.ts';
import type { Batch, Op } from '../ops.ts';
import { isFrame, setAttribute } from './allowlist.ts';
import { Controls } from './controls.ts';
import { isHtml, nameOf, read, rootOf, typeOf, write } from './dom.ts';
import { Focus } from './focus.ts';
import { Gestures } from './gestures.ts';
import { preventNativeEffects } from './native.ts';
import type { PictureFault } from './picture-faults.ts';
import { Pictures } from './pictures.ts';
import type { Realm } from './realm.ts';
import { Scrolling } from './scrolling.ts';
import { Sheets } from './sheets.ts';
import { LONGEST_SLICE_MS, SLICE_MS } from './slice.ts';
import type { Slice } from './slice.ts';
import { Stream } from './stream.ts';
import { closeDialog } from './modal.ts';
import { setTarget } from './targeted.ts';
import { Tree } from './tree.ts';

/** The client events of what is not shown as it should be, each for one case (S-155). */
type FrameFault =
  | 'tc-dom-frameset-error'
  | 'tc-doctype-load-mismatch'
  | 'tc-frame-load-timed-out'
  | 'tc-frame-helper-load-timed-out'
  | 'tc-domframe-invalid-domain'
  | PictureFault;

/** What a document tells whoever holds it. */
export interface DocumentEvents {
  /** An element shows a nested frame. */
  framed(owner: HTMLIFrameElement, frame: number): void;
  /** The person has scrolled the document or an element, to an offset in CSS px. */
  scrolled(document: MirrorDocument, scroller: Node, left: number, top: number): void;
  /** The person has changed a control natively. */
  edited(document: MirrorDocument, control: Element, value: string): void;
  /** What should be shown of the frame is not. */
  broken(frame: number, event: FrameFault): void;
  /** An op could not be applied. */
  failed(document: MirrorDocument, code: number, thrown: unknown): void;
}

/** Ops that few pages have: what applies them is loaded by the first that does. */
const SELDOM: readonly number[] = [OP.top, OP.states, OP.validity, OP.assign, OP.highlight, OP.transition, OP.refer];
/** Numbers of an op that is soon done. */
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
  readonly #controls: Controls;
  readonly #focus: Focus;
  readonly #events: DocumentEvents;
  readonly #life = new AbortController();
  /** What animations are like, by element; kept until what applies it has been loaded. */
  readonly #animated = new Map<number, string>();
  #animations: Animations | undefined;
  #hasFrameset = false;

  constructor(frame: number, epoch: number, realm: Realm, events: DocumentEvents) {
    this.frame = frame;
    this.epoch = epoch;
    this.realm = realm;
    this.#events = events;
    const { signal } = this.#life;
    const { document } = realm;
    this.sheets = new Sheets(realm);
    this.tree = new Tree(realm, this.sheets);
    this.#pictures = new Pictures(realm, this.sheets);
    const gestures = new Gestures(document, signal);
    preventNativeEffects(document, signal);
    document.addEventListener('error', ({ target }) => this.#broken(target as Element), { capture: true, signal }); // of resources
    this.#controls = new Controls(document, signal, (control, value) => events.edited(this, control, value));
    this.#focus = new Focus(realm, gestures, signal);
    this.scrolling = new Scrolling(realm, gestures, signal, (...scrolled) => events.scrolled(this, ...scrolled));
    this.sheets.commit();
  }

  /** Whether there is anything to see: a page that is still being built should not replace the one before. */
  get hasContent(): boolean {
    const { document } = this.realm;
    const root = read(Document, document, 'documentElement') as Element | null;
    if (!root || nameOf(root) !== 'html') return !!root;
    const body = read(Document, document, 'body') as Element | null;
    return !!body && read(Node, body, 'firstChild') !== null;
  }

  /** Applies a batch; yields whenever the slice is over, or what it has to wait for. Ops that are malformed or ask for what is not there have no effect. */
  *apply({ ops, strings }: Batch, slice: Slice): Generator<Promise<void> | undefined> {
    for (const op of ops) {
      if (slice.elapsed > (op.length > SHORT_OP ? SLICE_MS : LONGEST_SLICE_MS)) yield;
      try {
        const stream = new Stream(op, strings);
        const code = stream.next();
        if (code === OP.insert) yield* this.tree.insert(stream, slice);
        else if (code === OP.remove) yield* this.tree.remove(stream, slice);
        else if (SELDOM.includes(code)) yield this.#seldom(op, stream);
        else this.#one(op, stream);
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

  #one(op: Op, stream: Stream): void {
    const [code, id = 0, b = 0, c = 0, d = 0] = op;
    const { tree } = this;
    stream.next();
    switch (code) {
      case OP.doc:
      case OP.base:
        return;
      case OP.animate:
        this.#animated.delete(id); // the last one said goes last
        this.#animated.set(id, stream.text());
        return;
      case OP.move:
        tree.move(id, b, c);
        return;
      case OP.define:
        this.sheets.define(id, { text: stream.text(), media: stream.text(), disabled: stream.next() !== 0 });
        return;
      case OP.focus:
        this.#focus.focus(tree.element(id), b !== 0);
        return;
      case OP.selection:
        this.#focus.select(tree.node(id), b, tree.node(c), d);
        return;
      case OP.target:
        this.scrolling.keep(() => setTarget(this.realm, tree.element(id)));
        return;
    }
    const node = tree.known(id);
    if (code === OP.adopt) {
      const root = rootOf(node);
      if (root === node) this.sheets.adopt(root, op.slice(2));
    } else if (code === OP.scroll) {
      if ([1, 9].includes(typeOf(node))) this.scrolling.remote(node, b / SCROLL_SCALE, c / SCROLL_SCALE);
    } else if (code === OP.text) {
      if (typeOf(node) === 3) (node as Text).data = stream.text();
    } else if (typeOf(node) === 1) this.#change(node as Element, op, stream); // as its type says
  }

  #change(element: Element, op: Op, stream: Stream): void {
    const [code, , b = 0, c = 0] = op;
    switch (code) {
      case OP.attribute: {
        const name = stream.text();
        const value = stream.optional();
        if (value === undefined) closeDialog(element, name);
        return setAttribute(element, name, value);
      }
      case OP.sheet: {
        const source = stream.next();
        const content = {
          text: stream.text(),
          media: stream.text(),
          disabled: stream.next() !== 0,
        };
        return this.sheets.own(element, source === SHEET_SOURCE.none ? undefined : content);
      }
      case OP.append:
        return this.sheets.append(element, stream.text());
      case OP.value:
        return this.#controls.value(element, stream.text());
      case OP.splice:
        return this.#controls.splice(element, stream.next(), stream.next(), stream.next(), stream.text());
      case OP.checked:
        return this.#controls.checked(element, b);
      case OP.selected:
        return this.#controls.selected(element, op.slice(2));
      case OP.caret:
        return this.#focus.caret(element, b, c);
      case OP.defined:
        return this.#define(element, b);
      case OP.picture:
        return this.#pictures.show(element, stream.text());
      case OP.canvas:
        return this.#pictures.canvas(element, b, c);
      case OP.frame:
        return this.#frame(element, b);
    }
    throw new RangeError('an op is not known');
  }

  /** Objects and embeds that show documents are few: what builds a frame in them is loaded by the first. */
  #frame(owner: Element, frame: number): void {
    if (isFrame(owner)) this.#events.framed(owner, frame);
    else
      void this.#with(import('./framed-object.ts'), OP.frame, ({ frameIn }) => {
        const element = frameIn(this.realm, owner);
        if (element) this.#events.framed(element, frame);
      });
  }

  /** What has not loaded: of pictures that the host should have given it is told why, by what the first has loaded; unless the host is away. */
  #broken(element: Element): void {
    if (!isHtml(element, 'img')) return;
    const address = read(HTMLImageElement, element as HTMLImageElement, 'currentSrc'); // its name says so
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

  /** Few pages need it: it is loaded by the first that does. */
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

  #seldom(op: Op, stream: Stream): Promise<void> {
    return this.#with(import('./seldom.ts'), op[0] ?? 0, ({ applySeldom }) => applySeldom(this, op, stream));
  }

  /** Uses what few documents need once it has been loaded, unless the document is gone by then. Never rejects. */
  async #with<T>(module: Promise<T>, code: number, use: (module: T) => void | Promise<void>): Promise<void> {
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
