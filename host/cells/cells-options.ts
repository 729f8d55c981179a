import type { Log } from '../../core/contracts/scope.ts';
import type { Person } from '../base/person.ts';
import type { SentRecords } from '../declared/records-sent.ts';
import type { MachineFonts } from '../fonts/system-fonts.ts';
import type { PolicyEngine } from '../policy/engine.ts';
import type { StartCell } from './cell-process.ts';
import type { CellStores } from './gateway-calls.ts';

/** The stores are of whoever made them, who closes them. */
export interface CellsOptions extends CellStores {
  readonly start: StartCell;
  readonly policy: PolicyEngine;
  readonly fonts: MachineFonts;
  /** Cells that are kept warm ahead of need. */
  readonly poolSize: number;
  /** Cells that may run at once. */
  readonly maxCells: number;
  /** A person without any attached client for so long, in ms, may have to make room for another. */
  readonly goneMs: number;
  /** Time for which a person who has slept can come back, in ms. */
  readonly keepMs: number;
  /** Ports on which the host itself listens: no surrogate reaches them. */
  readonly ownPorts?: readonly number[];
  /** Called with every fault of a client, page or plugin: whose, and its code. */
  readonly onFault: (from: string, code: string) => void;
  /** Takes what plugins have recorded for a person. */
  readonly onRecords: (records: SentRecords, person: Person | undefined) => void;
  readonly log: Log;
}
