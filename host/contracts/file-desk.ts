/** Service of the session that keeps files of the person in the host's store: plugin `files`. */
import { token } from '../../core/contracts/token.ts';

/** State of a file, from which its status is answered. Blocked and failed files have no bytes any more. */
export type FileState =
  | { readonly is: 'growing' }
  | { readonly is: 'complete'; readonly sha256: string }
  | { readonly is: 'blocked'; readonly reason: string }
  | { readonly is: 'failed'; readonly reason: string }
  | { readonly is: 'canceled' };

/** A file of the person. */
export interface DeskFile {
  /** Unguessable: 43 characters of base64url. */
  readonly key: string;
  readonly name: string;
  /** Bytes that it has. */
  readonly size: number;
  readonly state: FileState;
  /**
   * Appends bytes until their end. @throws AppError `file-too-large` past `maxBytes`, `disk-full`, `file-unknown`, as its source, and as
   * `ServiceClient.call`. Whatever is thrown, the file has to be ended.
   */
  receive(
    bytes: AsyncIterable<Uint8Array>,
    options: { readonly maxBytes: number; readonly signal?: AbortSignal },
  ): Promise<void>;
  /** Nothing more is appended: it may be served now. @throws as {@link receive} */
  complete(): Promise<void>;
  /** Removes its bytes; its state says why. Idempotent; never rejects. */
  end(state: Extract<FileState, { readonly is: 'blocked' | 'failed' | 'canceled' }>): Promise<void>;
}

/** Files of one person's session. */
export interface FileDesk {
  /**
   * Begins a file. It expires after `keepMinutes`, and with the session.
   *
   * @param name as the site gives it; the file's is one that any system holds
   * @throws AppError `too-many-files`, and as `ServiceClient.call`
   */
  begin(options: { readonly name: string; readonly keepMinutes: number }): Promise<DeskFile>;
}

export const fileDeskToken = token<FileDesk>('files.desk');
