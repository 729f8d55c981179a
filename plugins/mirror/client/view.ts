import type { Batch } from '../ops.ts';
import { FrameView } from './frame-view.ts';
import type { FrameEvents, Work } from './frame-view.ts';
import type { MirrorDocument } from './mirror-document.ts';

/** Number of a tab's main frame. */
export const MAIN_FRAME = 1;

/** All frames of the page, in an element of the shell. */
export class View {
  readonly element: HTMLElement;
  readonly work: Work = { commits: 0, mutations: 0, drawingMs: 0 };
  readonly #frames = new Map<number, FrameView>();
  readonly #byDocument = new WeakMap<Document, MirrorDocument>();
  readonly #events: FrameEvents;

  /** Handles `events.framed` itself. */
  constructor(events: Omit<FrameEvents, 'framed' | 'work'>) {
    this.element = document.createElement('div');
    this.element.id = 'vitrine-view';
    this.element.style.cssText = 'position:fixed;inset:0;overflow:hidden;isolation:isolate';
    document.body.prepend(this.element);
    this.#events = {
      ...events,
      work: this.work,
      opened: (opened) => {
        this.#byDocument.set(opened.realm.document, opened);
        events.opened(opened);
      },
      framed: (owner, frame) => {
        if (frame !== MAIN_FRAME) this.#frame(frame).bind(owner);
      },
    };
    this.#frames.set(MAIN_FRAME, new FrameView(MAIN_FRAME, this.#events, this.element));
  }

  get frames(): Iterable<FrameView> {
    return this.#frames.values();
  }

  /** Receives a batch of a frame. */
  receive(frame: number, batch: Batch): void {
    this.#frame(frame).receive(batch);
  }

  /** Drops a frame. */
  drop(frame: number): void {
    this.#frames.get(frame)?.dispose();
    if (frame !== MAIN_FRAME) this.#frames.delete(frame);
  }

  /** Returns the frame's documents, newest first. */
  documentsOf(frame: number): MirrorDocument[] {
    return this.#frames.get(frame)?.documents ?? [];
  }

  /** Returns the mirrored document of a DOM document. */
  documentOf(document: Document): MirrorDocument | undefined {
    return this.#byDocument.get(document);
  }

  /** Drops all frames and the element. */
  dispose(): void {
    for (const frame of this.#frames.values()) frame.dispose();
    this.element.remove();
  }

  #frame(id: number): FrameView {
    const known = this.#frames.get(id);
    if (known) return known;
    const frame = new FrameView(id, this.#events);
    this.#frames.set(id, frame);
    return frame;
  }
}
