import type { Log } from '../../../../core/contracts/scope.ts';

/** Facts about a file, as plain JSON of at most 16 KiB. The store looks at the named ones alone: the others are its callers'. */
export interface FileFacts {
  /** Opaque subject. */
  readonly person: string;
  /** Id of the session. */
  readonly session: string;
  readonly direction: 'down' | 'up';
  /** Sanitized by the caller. */
  readonly name: string;
  readonly [key: string]: unknown;
}

/** Whose a file is, or who asks for one. */
export interface FileOwner {
  readonly person: string;
  readonly session: string;
}

export interface FileStoreOptions {
  /** A folder that exists and that nobody else writes to: whatever the store does not know there is removed. */
  readonly folder: string;
  /** Master key: 32 bytes, the same at each start. With another one quarantined files are lost. */
  readonly key: Uint8Array;
  /** Bytes on disk of all files together; no limit by default. */
  readonly maxBytes?: number;
  /** Time in ms, for expiry. */
  readonly now?: () => number;
  readonly log: Log;
}

export interface AppendOptions {
  /** Place of the first byte: the size so far. */
  readonly offset: number;
  /** Largest size of the whole file. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
  /** Called with each part once nothing looks at it any more. */
  readonly onTaken?: (part: Uint8Array) => void;
}

/**
 * One file of the store. Where it has been removed, methods throw AppError `file-unknown`; where it has failed, an AppError with the code
 * it failed with.
 */
export interface StoredFile {
  /** Secret of its owner: 32 random bytes in base64url. */
  readonly key: string;
  /** Name for administrators and logs: 32 hexadecimal digits. It does not give access, nor tell the key. */
  readonly id: string;
  readonly facts: FileFacts;
  readonly state: 'growing' | 'complete' | 'failed';
  /** Code of what made it fail. */
  readonly failure: string | undefined;
  /** Plain bytes so far. All of them can be read. */
  readonly size: number;
  /** Hexadecimal; there once it is complete. */
  readonly sha256: string | undefined;
  /** Time in ms at which it is removed: while it grows, 10 minutes after the last byte, two hours before the first; in quarantine, the end of that. */
  readonly expiresAt: number;
  readonly quarantinedUntil: number | undefined;
  /** Whether its owner gets it although it is in quarantine. */
  readonly isReleased: boolean;

  /**
   * Appends bytes as they come; the next part of the source is asked for once the last one is dealt with. Where the source throws or the
   * signal is aborted, what has come stays, and more may be appended later; its error, or the signal's reason, is thrown.
   *
   * @throws AppError, the source untouched: `part-out-of-order` (data: `{ size }`), `file-busy` (retryable), `file-complete`; or, the file
   * failed and its bytes removed: `file-too-large`, `disk-full` (also for the limit of the store), `disk-failed`
   */
  append(source: AsyncIterable<Uint8Array>, options: AppendOptions): Promise<void>;
  /**
   * Nothing more is appended; the time that it is kept begins. Does nothing for a complete file.
   *
   * @throws AppError `file-busy`, `disk-full`, `disk-failed`
   */
  complete(): Promise<void>;
  /** Removes the bytes. The entry stays until it expires, to say why. Ends a quarantine. Does nothing for one that has failed. */
  fail(code: string): Promise<void>;
  /**
   * Bytes from `offset`, at most 16 MiB; fewer where the file has no more yet. The caller may keep and change them.
   *
   * @throws AppError `bad-range`, `file-damaged`, `disk-failed`
   */
  read(offset: number, length: number): Promise<Uint8Array>;
  /**
   * Bytes from `from`, up to and without `to`, in pieces of at most 64 KiB. Follows a file that grows; ends where it is complete.
   *
   * @throws AppError as `read`, or when it fails or is removed meanwhile; the signal's reason
   */
  stream(from?: number, to?: number, signal?: AbortSignal): AsyncIterable<Uint8Array>;
  /** Sets the time at which it expires, in ms. Holds for one that grows from its completion on. */
  keepUntil(time: number): void;
  /** Has the time that it is kept begin now. */
  keepAnew(): void;
  /**
   * Replaces some facts. In quarantine they are written to disk soon.
   *
   * @throws AppError `bad-facts`, also where they name another person, session or direction
   */
  update(facts: Partial<FileFacts>): void;
  /**
   * Keeps a complete file across restarts and the end of its session until a time in ms; its owner does not get it.
   *
   * @throws AppError `file-incomplete`; `disk-full`, `disk-failed`: it is withheld then, but lost at a restart
   */
  quarantine(until: number): Promise<void>;
  /**
   * Gives a quarantined file to its owner again, until the quarantine ends. It stays there: its session may be over, and then administrators
   * have it still.
   *
   * @throws AppError `not-quarantined`; `disk-full`, `disk-failed`: it is withheld as before
   */
  release(): Promise<void>;
  /** Removes bytes and entry. */
  remove(): Promise<void>;
  /**
   * Takes it from its owner at once, and removes it once nobody reads a stream of it any more: a person who is saving it gets all of it, unless less
   * than 1 MiB is read in a minute. Does nothing in quarantine, released or not: administrators have it still.
   */
  retire(): Promise<void>;
}
