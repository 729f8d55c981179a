import { UPLOAD_END } from '../protocol.ts';
import type { RunningUploads } from './session.ts';
import type { Upload } from './upload.ts';

const MAIN_FRAME = 1;
/** Uploads whose files pages of a tab still have; the oldest ones go. */
const MAX_HELD = 50;

/** The uploads of a tab, by the numbers of their choosers: those that run, and those whose files a document has. */
export class HeldUploads {
  readonly #running: RunningUploads;
  readonly #held = new Map<number, { readonly upload: Upload; readonly frame: number }>();

  constructor(running: RunningUploads) {
    this.#running = running;
  }

  get(id: number): Upload | undefined {
    return this.#held.get(id)?.upload;
  }

  add(id: number, upload: Upload, frame: number): void {
    for (const oldest of this.#held.keys()) {
      if (this.#held.size < MAX_HELD) break;
      this.#drop(oldest);
    }
    this.#held.set(id, { upload, frame });
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

  /** Ends those that run: the client that has their files has gone. */
  abort(): void {
    for (const { upload } of this.#held.values()) upload.abort();
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
