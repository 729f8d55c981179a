import os from 'node:os';

/** The number of people that a host serves at once, and the times for which it holds what nobody uses, in ms. */
export interface Room {
  /** Cells that may run at once, each with a browser. */
  readonly maxCells: number;
  /** Cells that are kept ready for people to come, each with a browser. */
  readonly warmCells: number;
  /** A tab that was closed ends after this. */
  readonly leaveMs: number;
  /** A person who is at none of their tabs has no browser and no cell after this. */
  readonly sleepMs: number;
  /** A tab whose client has fallen silent, and what is kept of a person who sleeps, ends after this. */
  readonly idleMs: number;
  /** The page of a hidden tab is frozen after this. */
  readonly freezeMs: number;
  /** A person who has been at none of their tabs for so long may have to make room for another. */
  readonly goneMs: number;
  /** Free memory of the machine under which hidden pages are discarded, in bytes. */
  readonly reserveBytes: number;
}

/** A machine as far as room depends on it. */
interface Machine {
  readonly memoryBytes: number;
  readonly cores: number;
  /** User ids for cells, where they have their own. */
  readonly uids: number;
}

const MIB = 1024 * 1024;
/** Memory that is not for cells: the host's own, and the system's. */
const OTHERS_BYTES = 384 * MIB;
/** Memory of one person with a real page, and people for whom one core is enough: most of them read. */
const PERSON_BYTES = 200 * MIB;
const PEOPLE_PER_CORE = 32;
/** User ids of one person: a cell, its browser, and a decoder. */
const UIDS_PER_PERSON = 4;
/** Number of cells up to which room is scarce. */
const FEW_CELLS = 16;

/** This machine, or the part of it that the host's container has. */
export function thisMachine(uids: number): Machine {
  const limit = process.constrainedMemory();
  const total = os.totalmem();
  return { memoryBytes: limit > 0 ? Math.min(limit, total) : total, cores: os.availableParallelism(), uids };
}

/** Defaults for a machine. */
export function defaultRoom({ memoryBytes, cores, uids }: Machine): Room {
  const byMemory = Math.floor((memoryBytes - OTHERS_BYTES) / PERSON_BYTES);
  const byUids = Math.floor(uids / UIDS_PER_PERSON);
  const maxCells = Math.max(2, Math.min(byMemory, cores * PEOPLE_PER_CORE, byUids, 9999));
  const isScarce = maxCells <= FEW_CELLS;
  return {
    maxCells,
    warmCells: Math.max(1, Math.min(8, Math.floor(cores / 4), Math.floor(maxCells / 8))),
    leaveMs: isScarce ? 10_000 : 20_000,
    sleepMs: isScarce ? 2 * 60_000 : 5 * 60_000,
    idleMs: 30 * 60_000,
    freezeMs: 5 * 60_000,
    goneMs: 2 * 60_000,
    reserveBytes: Math.min(2048 * MIB, Math.max(128 * MIB, Math.floor(memoryBytes / 16))),
  };
}
