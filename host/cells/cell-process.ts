import type { LinkPeer } from '../link/api.ts';

/** Exit of a cell. */
export interface CellExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Set when it was ended for a reason: `memory`, `processes`, ... */
  readonly reason?: string;
}

/** A started cell: the link to it, and its process. */
export interface StartedCell {
  readonly peer: LinkPeer;
  /** Process id; undefined for a cell in this process. */
  readonly pid?: number;
  readonly exited: Promise<CellExit>;
  /** Prepares it for a person; call it after listening on the link. @throws AppError */
  setUp(): Promise<void>;
  /** Counts the scale of its person's screen, once: browsers of later cells start with the most frequent one. */
  learnScale?(scale: number): void;
  /** The last lines of its process's output. */
  readonly stderr?: readonly string[];
  /** Bytes of memory that its process and its browser's have for themselves; absent for a cell in this process. Never rejects. */
  bytes?(): Promise<number>;
  /** Kills it and its browser. Idempotent. */
  kill(): Promise<void>;
}

/** Starts a cell that belongs to no person yet. @throws AppError `cell-start-failed` */
export type StartCell = () => Promise<StartedCell>;
