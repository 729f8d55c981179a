import type { FileHandle } from 'node:fs/promises';

/** Handles that stay open though nobody uses them just now. */
const MAX_OPEN = 32;

/** A file that a {@link HandlePool} opens when it is used. */
export interface Pooled {
  open(): Promise<FileHandle>;
  /** Called when its handle is closed: what is remembered for its readers can go. */
  onClosed(): void;
}

interface Slot {
  readonly file: Pooled;
  readonly handle: Promise<FileHandle>;
  users: number;
  /** Called when nobody uses it any more. */
  onUnused: (() => void) | undefined;
}

/** Open handles of many files. Those in use stay open, and the last ones used. */
export class HandlePool {
  readonly #slots = new Map<Pooled, Slot>();
  /** Slots that nobody uses, the longest unused first. */
  readonly #unused = new Set<Slot>();
  #limit = MAX_OPEN;

  /** Has `work` done with the handle, which stays open until it is. @throws what opening or the work throws */
  async use<T>(file: Pooled, work: (handle: FileHandle) => Promise<T>): Promise<T> {
    let slot = this.#slots.get(file);
    if (!slot) {
      slot = { file, handle: file.open(), users: 0, onUnused: undefined };
      this.#slots.set(file, slot);
    }
    this.#unused.delete(slot);
    slot.users++;
    try {
      const handle = await slot.handle.catch((thrown: unknown) => {
        if (this.#slots.get(file) === slot) this.#slots.delete(file); // the next use tries again
        throw thrown;
      });
      return await work(handle);
    } finally {
      slot.users--;
      if (slot.users === 0) this.#leave(slot);
    }
  }

  /** Closes the handle of a file once nobody uses it. Nobody may begin to use it meanwhile. */
  async discard(file: Pooled): Promise<void> {
    const slot = this.#slots.get(file);
    if (!slot) return;
    if (slot.users > 0) await new Promise<void>((resolve) => (slot.onUnused = resolve));
    await this.#close(slot);
  }

  /** Closes all handles; those in use later, once nobody uses them. */
  async close(): Promise<void> {
    this.#limit = 0;
    for (const slot of this.#unused) await this.#close(slot);
  }

  #leave(slot: Slot): void {
    slot.onUnused?.();
    if (this.#slots.get(slot.file) !== slot) return; // it was never open
    this.#unused.add(slot);
    for (const oldest of this.#unused) {
      if (this.#slots.size <= this.#limit) break;
      void this.#close(oldest);
    }
  }

  async #close(slot: Slot): Promise<void> {
    this.#unused.delete(slot);
    if (this.#slots.get(slot.file) === slot) this.#slots.delete(slot.file);
    slot.file.onClosed();
    await slot.handle.then((handle) => handle.close()).catch(() => undefined); // it is closed, whatever the disk says
  }
}
