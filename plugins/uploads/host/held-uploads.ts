import { UPLOAD_END } from '../protocol.ts';
import type { RunningUploads } from './session.ts';
import type { Upload } from './upload.ts';

const MAIN_FRAME = 1;
/** Most uploads that run, or whose files pages of a tab still have. */
const MAX_HELD = 200;

/** The uploads of a tab, by the numbers of their choosers: those that run, and those whose files a document has. */
export class HeldUploads {
  readonly #running: RunningUploads;
  readonly #held = new Map<number, { readonly upload: Upload; readonly frame: number; isGone: boolean }>();

  constructor(running: RunningUploads) {
    this.#running = running;
  }

  get(id: number): Upload | undefined {
    return this.#held.get(id)?.upload;
  }

  /** Whether there is no room for another one: files that a page has are never taken from it. */
  get isFull(): boolean {
    for (const [id, { upload }] of this.#held) if (upload.isOver) this.#drop(id);
    return this.#held.size >= MAX_HELD;
  }

  add(id: number, upload: Upload, frame: number): void {
    this.#held.set(id, { upload, frame, isGone: false });
    this.#running.add(upload);
  }

  /** The document of a frame has gone, and with the main frame's all. */
  left(frame: number): void {
    for (const [id, each] of this.#held) {
      if (each.frame !== frame && frame !== MAIN_FRAME) continue;
      each.upload.abort(UPLOAD_END.pageLeft);
      this.#drop(id);
    }
  }

  /** A frame has been removed: the page around it may have the files that it was given, until they need the room. */
  gone(frame: number): void {
    for (const [id, each] of this.#held) {
      if (each.frame !== frame) continue;
      each.upload.abort(UPLOAD_END.pageLeft);
      if (each.upload.isOver) this.#drop(id);
      else each.isGone = true;
    }
  }

  /** Removes the files of frames that have been removed. Answers with whether there were some. */
  dropGone(): boolean {
    const gone = [...this.#held].filter(([, { isGone }]) => isGone);
    for (const [id] of gone) this.#drop(id);
    return gone.length > 0;
  }

  /** Ends those that run: the client that had their files has gone, or has lost what it was sent. Answers with their numbers. */
  abort(): readonly number[] {
    return [...this.#held].flatMap(([id, { upload }]) => (upload.stop('client-left') ? [id] : []));
  }

  dispose(): void {
    for (const id of this.#held.keys()) this.#drop(id);
  }

  #drop(id: number): void {
    const found = this.#held.get(id);
    this.#held.delete(id);
    if (!found) return;
    found.upload.dispose();
    this.#running.delete(found.upload);
  }
}
