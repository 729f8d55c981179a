import type { Batch } from '../ops.ts';
import { FRAME_SANDBOX } from './allowlist.ts';
import { BatchOrder } from './batch-order.ts';
import { MirrorDocument } from './mirror-document.ts';
import type { DocumentEvents } from './mirror-document.ts';
import type { Realm } from './realm.ts';
import { pause, Slice } from './slice.ts';
import { addressIn, loadTemplate, templateOf } from './template.ts';

/** Time for which the old page stays visible while the new one has nothing to show, in ms. */
const KEEP_MS = 500;

/** Time after which a visible frame without content is reported, in ms: 500 polls of 100 ms, if no event comes (S-168). */
const CONTENT_DEADLINE_MS = 50_000;
/** Minimum interval between two reports of a template that has not loaded in time, in ms (M-111). */
const LATE_MS = 10_000;

/** Delay between two attempts to load a template, in ms. */
const RELOAD_MS = 1000;

/** Counters of the work done; they only grow. */
export interface Work {
  commits: number;
  mutations: number;
  drawingMs: number;
}

/** Events from a frame to the view. */
export interface FrameEvents extends DocumentEvents {
  readonly work: Work;
  opened(document: MirrorDocument): void;
  closed(document: MirrorDocument): void;
  applied(document: MirrorDocument, seq: number): void;
  /** The frame's content is out of sync and must be sent again: for that reason, or because it is shown elsewhere now. */
  lost(frame: number, reason?: string): void;
}

/** Previous page of the main frame, visible until the next one has something to show. */
interface PageBefore {
  readonly element: HTMLIFrameElement;
  readonly document: MirrorDocument | undefined;
  keepTimer?: ReturnType<typeof setTimeout>;
}

/** One frame of the page: receives its batches in order, and shows them in an iframe of the view once there is one. */
export class FrameView {
  readonly id: number;
  readonly #events: FrameEvents;
  /** Parent of the main frame's iframes; nested frames are bound to elements of the page. */
  readonly #container: HTMLElement | undefined;
  readonly #slice = new Slice();
  readonly #order: BatchOrder;
  #element: HTMLIFrameElement | undefined;
  #address = '';
  /** First document of the main frame, loaded before the page's needs are known. */
  #ahead: Realm | undefined;
  #document: MirrorDocument | undefined;
  #before: PageBefore | undefined;
  #loading: AbortController | undefined;
  /** Time before which a template that does not load is not reported again. */
  #lateUntil = 0;
  /** Runs while the frame has received no content. */
  #emptyTimer: ReturnType<typeof setTimeout> | undefined;
  #queue: Batch[] = [];
  #isDraining = false;

  constructor(id: number, events: FrameEvents, container?: HTMLElement) {
    this.id = id;
    this.#events = events;
    this.#container = container;
    this.#order = new BatchOrder((reason) => events.lost(id, reason));
    if (container) this.#begin(templateOf([])); // fits nearly all pages
  }

  /** The iframe of the frame's newest document. */
  get element(): HTMLIFrameElement | undefined {
    return this.#element;
  }

  /** The frame's documents, newest first. */
  get documents(): MirrorDocument[] {
    return [this.#document, this.#before?.document].filter((document) => document !== undefined);
  }

  /** Number of batches that wait. */
  get queued(): number {
    return this.#queue.length;
  }

  /** Receives a batch: applied as soon as all earlier ones are; a gap asks for a resync. */
  receive(batch: Batch): void {
    const isFirst = this.#order.epoch === undefined;
    const place = this.#order.take(batch);
    if (place === 'gap') return this.#lose('out of order');
    if (place === 'old') return;
    const [doc] = batch.ops;
    if (place === 'new' && doc) {
      clearTimeout(this.#emptyTimer);
      const address = templateOf(doc);
      const isAhead = isFirst && address === this.#address;
      this.#queue = [];
      if (!isAhead) this.#begin(address);
      else if (this.#ahead) this.#open(this.#ahead);
      this.#ahead = undefined;
    }
    this.#queue.push(batch);
    void this.#drain();
  }

  /** Shows the frame in an element of its parent's page. */
  bind(element: HTMLIFrameElement): void {
    if (this.#element === element) return;
    this.#element = element;
    this.#watch(element);
    if (this.#document) this.#lose();
    else if (this.#order.epoch !== undefined) this.#begin(this.#address);
    else
      this.#emptyTimer ??= setTimeout(
        () => this.#events.broken(this.id, 'tc-frame-helper-load-timed-out'),
        CONTENT_DEADLINE_MS,
      );
  }

  /** Drops all content of the frame. */
  dispose(): void {
    this.#loading?.abort();
    clearTimeout(this.#emptyTimer);
    this.#queue = [];
    this.#order.reset();
    this.#address = '';
    this.#close(this.#document);
    this.#document = undefined;
    this.#reveal();
    if (this.#container) this.#element?.remove();
    this.#element = undefined;
  }

  /** Opens a document for the new epoch: a new one for the main frame; nested frames reuse theirs if it fits. */
  #begin(address: string): void {
    this.#loading?.abort();
    this.#address = address;
    const old = this.#document;
    this.#document = undefined;
    if (this.#container) {
      if (this.#before) this.#element?.remove();
      else if (this.#element) this.#before = { element: this.#element, document: old };
      if (old && old !== this.#before?.document) this.#close(old);
      this.#element = this.#stage(this.#container);
      this.#load(this.#element);
    } else {
      this.#close(old);
      const element = this.#element;
      if (!element?.isConnected) return;
      const realm = old?.realm;
      const fits =
        realm?.isClean &&
        realm.document === element.contentDocument &&
        realm.url.endsWith(addressIn(element, this.#address));
      if (fits) this.#open(realm);
      else this.#load(element);
    }
  }

  #stage(container: HTMLElement): HTMLIFrameElement {
    const element = document.createElement('iframe');
    element.setAttribute('sandbox', FRAME_SANDBOX);
    element.title = 'Page';
    // Opaque like a top-level page in either colour scheme; the old page stays on top.
    element.style.cssText =
      'position:absolute;inset:0;width:100%;height:100%;border:0;color-scheme:light dark;background:Canvas;z-index:0';
    container.prepend(element);
    this.#watch(element);
    if (!this.#before) element.dataset.vitrineFrame = 'main';
    return element;
  }

  /** An iframe that is moved in its document loads again; one that has navigated to another address shows a foreign document. */
  #watch(element: HTMLIFrameElement): void {
    element.addEventListener('load', () => {
      if (element !== this.#element || !this.#document || element.contentDocument === this.#document.realm.document)
        return;
      if (!element.contentDocument) this.#events.broken(this.id, 'tc-domframe-invalid-domain');
      this.#lose();
    });
  }

  #load(element: HTMLIFrameElement): void {
    const loading = (this.#loading = new AbortController());
    loadTemplate(element, this.#address, loading.signal).then(
      (realm) => {
        if (!loading.signal.aborted) this.#open(realm);
      },
      () => {
        if (loading.signal.aborted) return;
        if (performance.now() >= this.#lateUntil) {
          this.#lateUntil = performance.now() + LATE_MS;
          this.#events.broken(this.id, 'tc-frame-load-timed-out');
        }
        setTimeout(() => {
          if (!loading.signal.aborted && element.isConnected) this.#load(element);
        }, RELOAD_MS);
      },
    );
  }

  #open(realm: Realm): void {
    const { epoch } = this.#order;
    if (epoch === undefined) {
      this.#ahead = realm;
      return;
    }
    if (this.#address.endsWith('html-quirks') !== (realm.document.compatMode === 'BackCompat'))
      this.#events.broken(this.id, 'tc-doctype-load-mismatch');
    this.#document = new MirrorDocument(this.id, epoch, realm, this.#events);
    this.#events.opened(this.#document);
    if (this.#container && document.activeElement === document.body) realm.window.focus(); // keys go to the page
    if (this.#before) this.#before.keepTimer ??= setTimeout(() => this.#reveal(), KEEP_MS);
    void this.#drain();
  }

  async #drain(): Promise<void> {
    if (this.#isDraining) return;
    this.#isDraining = true;
    const { work } = this.#events;
    this.#slice.begin();
    for (;;) {
      const document = this.#document;
      const batch = document && this.#queue.shift();
      if (!batch) break;
      const steps = document.apply(batch, this.#slice);
      while (document === this.#document) {
        const step = steps.next();
        if (step.done === true) break;
        work.drawingMs += this.#slice.elapsed;
        await (step.value ?? pause());
        this.#slice.begin();
      }
      if (document !== this.#document) continue;
      work.commits++;
      work.mutations += batch.ops.length;
      this.#events.applied(document, batch.seq);
      if (this.#before && !batch.more && document.hasContent) this.#reveal();
    }
    work.drawingMs += this.#slice.elapsed;
    this.#isDraining = false;
  }

  /** Replaces the old document by the newest one. */
  #reveal(): void {
    const before = this.#before;
    if (!before) return;
    clearTimeout(before.keepTimer);
    this.#before = undefined;
    const hadFocus = document.activeElement === before.element;
    this.#close(before.document);
    before.element.remove();
    if (!this.#element) return;
    this.#element.dataset.vitrineFrame = 'main';
    if (hadFocus) this.#element.contentWindow?.focus();
  }

  #close(document: MirrorDocument | undefined): void {
    if (!document) return;
    this.#events.closed(document);
    document.dispose();
  }

  #lose(reason?: string): void {
    this.#queue = [];
    this.#order.lose(reason);
  }
}
