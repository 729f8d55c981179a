/** Service of the session that keeps the person's files in the host's store, and judges them. A plugin provides it. */
import { token } from '../../core/contracts/token.ts';
import type { SessionTab } from './session-scope.ts';

/** Kinds of files, as a file's bytes show them. */
export const FILE_KINDS = [
  'document',
  'image',
  'audio',
  'video',
  'archive',
  'executable',
  'script',
  'markup',
  'text',
  'font',
  'other',
] as const;
export type FileKind = (typeof FILE_KINDS)[number];

/** One check of a file: of its archives, by a scanner, or by the rules of the policy. */
export interface FileCheck {
  /** `archive`, `rules`, or the kind of the scanner, such as `clamd`. */
  readonly plugin: string;
  readonly status: 'PENDING' | 'FINISHED' | 'FAILED';
  readonly result?: 'clean' | 'infected' | 'not-scanned' | 'suspicious' | 'allow' | 'quarantine' | 'block';
  /** Place in the policy of the rule that decides. */
  readonly rule?: string;
  /** Name of the signature, or why it was not scanned. */
  readonly detail?: string;
}

/** All that is known of a file once it has been judged. */
export interface FileFindings {
  /** By its bytes, never by its name. */
  readonly type: { readonly mime: string; readonly extension: string; readonly group: FileKind };
  /** `clean` needs a scanner, and all of them. */
  readonly verdict: 'clean' | 'infected' | 'not-scanned' | 'encrypted';
  /** For logs. */
  readonly reason: string;
  /** Whether a password, or another one, may open what is encrypted in it. */
  readonly isLocked: boolean;
  /** Scanners that were asked. */
  readonly scanners: number;
  readonly checks: readonly FileCheck[];
}

/** Why a file does not go on. `rule`: a rule of the policy says so. */
interface Withheld {
  readonly reason: string;
  readonly checks: readonly FileCheck[];
  /** Place in the policy of the rule that matches, where one does. */
  readonly rule?: string;
  /** Text for the person, of that rule. */
  readonly message?: string;
}

/** The size past which a rule of the policy blocks a file, whatever is in it. */
export interface SizeLimit {
  readonly bytes: number;
  readonly rule: string;
  readonly message?: string;
}

/** State of a file, from which its status is answered. Blocked and failed files have no bytes any more. */
export type FileState =
  | { readonly is: 'growing' }
  | { readonly is: 'checking'; readonly checks: readonly FileCheck[] }
  /** A password is needed. `attempt`: 1, and one more after each that was wrong. */
  | { readonly is: 'locked'; readonly attempt: number }
  | { readonly is: 'allowed'; readonly isScanned: boolean; readonly checks: readonly FileCheck[] }
  | ({ readonly is: 'blocked' } & Withheld)
  /** Kept for administrators, one of whom may let it go. */
  | ({ readonly is: 'quarantined' } & Withheld)
  | { readonly is: 'failed'; readonly reason: string }
  | { readonly is: 'canceled' };

/** A file of the person. */
export interface DeskFile {
  /** Unguessable: 43 characters of base64url. */
  readonly key: string;
  readonly name: string;
  /** Bytes that it has; whenever `receive` has ended, all that the store has. */
  readonly size: number;
  /** Hexadecimal; there once it is complete. */
  readonly sha256: string | undefined;
  readonly state: FileState;
  readonly limit: SizeLimit | undefined;
  /**
   * Appends bytes until their end. @throws AppError `file-too-large` past `maxBytes`, `file-blocked` past its limit, `disk-full`, `file-unknown`,
   * as its source, and as `ServiceClient.call`. Bytes that have come stay, and more may follow, unless it is one of the first three.
   */
  receive(
    bytes: AsyncIterable<Uint8Array>,
    options: { readonly maxBytes: number; readonly signal?: AbortSignal },
  ): Promise<void>;
  /**
   * All bytes of an allowed file. @throws AppError `file-unknown`, as `ServiceClient.call`, also while they are read
   */
  bytes(signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
  /** Nothing more is appended: it is to be judged. @throws as {@link receive} */
  complete(): Promise<void>;
  /**
   * Finds out what a complete file is, and decides by the policy: it is allowed, blocked, quarantined or locked after that. The type is found in
   * any case.
   * A scanner that fails is a failed check, not an error.
   *
   * @throws AppError `file-unknown`, as `ServiceClient.call`, or the signal's reason: it has to be ended
   */
  judge(options?: {
    /** For the archives in it that ask for one. */
    readonly password?: string;
    readonly signal?: AbortSignal;
  }): Promise<FileFindings>;
  /** Looks whether a quarantined file has been released: it is allowed then. Does nothing for others; never rejects. */
  refresh(): Promise<void>;
  /** Blocks a file that is known to be past its limit. Does nothing for one without a limit. Idempotent; never rejects. */
  block(): Promise<void>;
  /** Removes its bytes, but for those in quarantine; its state says why. Idempotent; never rejects. */
  end(state: Extract<FileState, { readonly is: 'failed' | 'canceled' }>): Promise<void>;
}

interface FileWay {
  readonly name: string;
  readonly tab: Pick<SessionTab, 'id' | 'policy'>;
  /** `up`: from the person. `down` unless given. */
  readonly direction?: 'down' | 'up';
  /** Addresses of the page, first, and of all else that the file comes from or goes to: rules and settings for sites look at all of them. */
  readonly addresses: readonly string[];
}

interface BeginOptions extends FileWay {
  readonly keepMinutes: number;
}

/** Files of one person's session. */
export interface FileDesk {
  /**
   * Begins a file. It expires after `keepMinutes`, and with the session.
   *
   * @param name as the site gives it; the file's is one that any system holds
   * @param tab whose policy at the addresses is that of the file
   * @throws AppError `too-many-files`, and as `ServiceClient.call`
   */
  begin(options: BeginOptions): Promise<DeskFile>;
  /** The limit of a file that has not begun. */
  limitOf(way: FileWay): SizeLimit | undefined;
}

export const fileDeskToken = token<FileDesk>('vitrine.file-desk');
