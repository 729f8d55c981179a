/** Files that a person's surrogate saves, and files that its pages are given. */
import type { Target } from '../../core/protocol/target.ts';
import type { SessionTab } from './session-scope.ts';

/** A download of the surrogate. Its name, its address and its bytes are hostile. */
export interface SurrogateDownload {
  /** Chromium's id of it: a UUID. */
  readonly id: string;
  readonly url: string;
  /** Addresses from which a document was led to it, where it was asked for as one and the page's sessions say so. At most 20. */
  readonly redirects: readonly string[];
  /**
   * Number of addresses, `redirects` and then `url`, up to the last one that was not asked for by GET, as the page's sessions say: all of them where
   * a form was posted for it. 0 otherwise, and where it is not known.
   */
  readonly posted: number;
  /** Name that the browser would save it under. */
  readonly name: string;
  /** Tab and frame that it comes from; undefined once they are gone. */
  readonly tab: SessionTab | undefined;
  readonly frame: number | undefined;
  /** Where `tab` is a window that was opened for it alone: the tab that has opened it, at which the person is. */
  readonly opener: SessionTab | undefined;
  /** Whether the person had just acted in its page when it began, or when its page opened the window for it. */
  readonly isAsked: boolean;
  /** Bytes received so far, as far as the browser has said. */
  readonly received: number;
  /** Bytes that it should have: what the site says. Undefined where it does not. */
  readonly total: number | undefined;
  /** Resolves when it has ended. Canceled: by `cancel`, by the page, by the network, or with the browser; Chromium does not say which. */
  readonly ended: Promise<'completed' | 'canceled'>;
  /**
   * Its bytes, once, as they arrive. @throws AppError `download-canceled`, `downloads-full` (data: `most`, in bytes) when it was stopped since
   * those that lie in the browser's folder would have had more than that; `download-lost` when the file is not there, or is no plain file.
   */
  bytes(): AsyncIterable<Uint8Array>;
  /**
   * Called once `bytes` has ended: compares what was read with the file.
   *
   * @param sha256 of what was read, hexadecimal
   *
   * @throws AppError `download-changed` when the browser has begun anew and the site has another file by then
   */
  verify(sha256: string): Promise<void>;
  /** Called when `received` or `total` has changed. */
  onProgress(listener: () => void): () => void;
  /** Says that nothing is asked of `tab` any more: a window that was opened for it alone is closed. Idempotent. */
  sourceRead(): void;
  /** Stops it. Idempotent. */
  cancel(): void;
  /** Stops it where it still runs, and removes it from the disk. Idempotent; never rejects. */
  remove(): Promise<void>;
}

/** A file to stage. */
export interface StageRequest {
  /** Parts of its path: its name, with the folders before it for one of a folder. No part is empty, `.`, `..`, or has a separator. */
  readonly path: readonly string[];
  /** `spent`: see `ServiceStream`. */
  readonly bytes: AsyncIterable<Uint8Array> & { spent?(chunk: Uint8Array): void };
  /** Time of its last change, in ms since 1970. */
  readonly lastModified?: number;
  readonly signal?: AbortSignal;
}

/** Unit in which a file system gives room, in bytes; a name takes one, too. */
const BLOCK_BYTES = 4096;

/** Bytes on the disk that a staged file takes at most, with its folders; `parts`: those of its path. */
export function stagedSize(size: number, parts: number): number {
  return (Math.ceil(size / BLOCK_BYTES) + parts) * BLOCK_BYTES;
}

/** Files that the person drags over a page, as trusted events of the page. */
export interface FileDrag {
  /**
   * They are over a place. Resolves with whether the page would take them there.
   *
   * @param modifiers as input flags
   */
  over(at: Target, modifiers: number): Promise<boolean>;
  /** They are dropped. Resolves with false where the page does not take them: it hears that they are gone. */
  drop(at: Target, modifiers: number): Promise<boolean>;
  /** They are no longer over the page. Never rejects. */
  leave(): Promise<void>;
}

/** Files that are given to a page together. */
export interface StagingArea {
  /** Adds a file. @throws AppError `bad-file-path`, `file-exists`, `no-exchange`, `disk-full`, or as its bytes. */
  add(request: StageRequest): Promise<void>;
  /**
   * Gives the files to an element `<input type=file>`, in the order in which they were added: each file, or with `asFolder` the folder which is the
   * first part of their paths. The page hears of it by trusted events.
   *
   * @throws AppError `frame-gone`, or as CdpBroker.send
   */
  give(target: {
    readonly tab: string;
    readonly frame: number;
    readonly backendNodeId: number;
    readonly asFolder?: boolean;
  }): Promise<void>;
  /**
   * Drags the files over a page, each with the folder which is the first part of its path.
   *
   * @param isTaken asks a frame whether it takes what was dragged over it last: Chromium opens in the tab what a page does not take
   *
   * @throws AppError `tab-gone`
   */
  drag(tab: string, isTaken: (frame: number) => Promise<boolean>): FileDrag;
  /** Removes all of them from the disk: pages that have them can no longer read them. Idempotent; never rejects. */
  remove(): Promise<void>;
}

/** The files of a person's surrogate, for one session half. */
export interface SurrogateFiles {
  /** Called with each download. Without a listener there are none. @throws AppError `already-handled`: there is one listener. */
  onDownload(listener: (download: SurrogateDownload) => void): () => void;
  /** Makes an area for files of a page. Whoever made it removes it. @throws AppError `no-exchange`, retryable, without a browser. */
  stage(): Promise<StagingArea>;
  /**
   * Bytes that all staged files may have on the disk: at somewhat more the whole browser is ended. Staging does not look: whoever stages adds
   * up {@link stagedSize}. Infinity where nothing bounds them.
   */
  mostStaged(): number;
}
