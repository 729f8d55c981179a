import type { LinkPeer } from '../link/api.ts';

/** How a cell has ended. */
export interface CellExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Set where it was ended for what it did: `memory`, `processes`, ... */
  readonly reason?: string;
}

/** A started cell: the link to it, and its life as a process. */
export interface StartedCell {
  readonly peer: LinkPeer;
  /** Process id; undefined for a cell in this process. */
  readonly pid?: number;
  readonly exited: Promise<CellExit>;
  /** Makes it ready for a person, once somebody listens to the link. @throws AppError */
  setUp(): Promise<void>;
  /** The last lines that its process wrote. */
  readonly stderr?: readonly string[];
  /** Ends it at once, with its browser. Idempotent. */
  kill(): Promise<void>;
}

/** Starts a cell without a person. @throws AppError `cell-start-failed` */
export type StartCell = () => Promise<StartedCell>;
