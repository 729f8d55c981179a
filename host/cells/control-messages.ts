import { AppError, type ErrorRecord } from '../../core/protocol/errors.ts';
import type { OfferedExchange } from '../base/exchange.ts';
import type { NetworkWall } from './confined-command.ts';
import type { LimitsReport } from './limits/limits.ts';
import type { LimitValues } from './limits/limit-values.ts';
import type { UidRange } from './uid-range.ts';

/** Reason why a process was ended, or could not start. */
export type EndReason =
  /** Past its memory limit. */
  | 'memory'
  /** Its profile is past its size. */
  | 'disk'
  /** Requested. */
  | 'killed'
  /** A browser whose cell ended. */
  | 'cell-ended'
  /** Nothing connected to its socket before the deadline. */
  | 'not-connected'
  /** The start failed; its last lines say why. */
  | 'failed'
  /** The launcher or the host ended. */
  | 'launcher-ended';

/** Exit of a launched process. */
export interface LaunchedExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly reason?: EndReason;
}

/** Packages that decoders load, which are not part of their program: native code and WebAssembly. */
export interface DecoderPackages {
  /** Absolute path of the module of each package that is imported, by the package's name. */
  readonly entries: Readonly<Record<string, string>>;
  /** Absolute path of each package, those that the others need included. */
  readonly folders: Readonly<Record<string, string>>;
}

/** Configuration of programs: sent once, at the launcher's start; requests cannot change it. */
export interface LauncherConfig {
  /** The host's data folder. */
  readonly dataDir: string;
  /** Absolute path of the program of each cell, a file for Node. */
  readonly cellEntry: string;
  readonly cellArgs: readonly string[];
  /** Flags for Node, before the program. */
  readonly nodeArgs: readonly string[];
  readonly decoderPackages?: DecoderPackages;
  /** Environment of cells in addition to PATH, LANG, HOME and TMPDIR. */
  readonly cellEnv: Readonly<Record<string, string>>;
  /** Absolute path of a Chromium. */
  readonly chromium: string;
  readonly extensionDir?: string;
  /** Flags of every browser, in addition to the surrogate's own. */
  readonly browserArgs: readonly string[];
  readonly uids: UidRange;
  readonly limits: LimitValues;
}

/** Options of a browser that a request may set. */
export interface BrowserRequest {
  /** Port of its egress proxy on 127.0.0.1. */
  readonly proxyPort: number;
  readonly hideScrollbars?: boolean;
  /** Additional flags, from the list of `assertExtraFlags`. */
  readonly extraArgs?: readonly string[];
}

/** A request of the host. The host names targets; a name is used once. */
export type Request = { readonly id: number } & (
  | { readonly verb: 'configure'; readonly config: LauncherConfig }
  | { readonly verb: 'start-cell' | 'start-decoder'; readonly target: string; readonly storage?: string }
  | ({ readonly verb: 'start-browser'; readonly target: string; readonly cell: string } & Required<BrowserRequest>)
  | { readonly verb: 'kill'; readonly target: string }
);

/** Answer to `configure`. */
export interface Configured {
  readonly limits: LimitsReport;
  /** Copy of the extension that cells and browsers can read. */
  readonly extensionDir?: string;
  /** Wall between decoders and the network, found by trying. */
  readonly network: NetworkWall;
  /** Modules of {@link DecoderPackages.entries}, where decoders can read them. */
  readonly decoderModules: Readonly<Record<string, string>>;
  /** Processes and folders of earlier runs that were removed. */
  readonly swept: number;
}

/** Answer to `start-cell`, `start-decoder` and `start-browser`: the socket to connect to, once, within {@link CONNECT_DEADLINE_MS}. */
export interface Offered {
  readonly socketPath: string;
  /** Id of the user of a browser, where it has one of its own. */
  readonly uid?: number;
  /** Of a browser: see `exchangeParts`. */
  readonly exchange?: OfferedExchange;
}

/** Time in which to connect to the socket of a cell or browser. The process is started on connection. */
export const CONNECT_DEADLINE_MS = 15_000;

/** Messages of the launcher: answers and notices. */
export type FromLauncher =
  | { readonly id: number; readonly ok: unknown }
  | { readonly id: number; readonly error: ErrorRecord }
  | { readonly notice: 'started'; readonly target: string; readonly pid: number }
  | { readonly notice: 'output'; readonly target: string; readonly lines: readonly string[] }
  | {
      readonly notice: 'exited';
      readonly target: string;
      readonly exit: LaunchedExit;
      readonly stderr: readonly string[];
    };

const TARGET = /^[a-z0-9-]{1,40}$/;
const MAX_ARGS = 64;
const MAX_ARG_CHARS = 2000;

/**
 * Checks a request completely: the launcher may be root. The configuration is the administrator's; the code that uses
 * it checks its shape.
 *
 * @throws AppError `bad-control`
 */
export function parseRequest(value: unknown): Request {
  const fields = record(value);
  const { id, verb } = fields;
  if (!Number.isSafeInteger(id) || typeof id !== 'number') throw bad('id');
  switch (verb) {
    case 'configure':
      only(fields, ['id', 'verb', 'config']);
      return { id, verb, config: record(fields['config']) as unknown as LauncherConfig }; // from the host's own start
    case 'start-cell':
    case 'start-decoder': {
      only(fields, ['id', 'verb', 'target', 'storage']);
      const { storage } = fields;
      return { id, verb, target: target(fields['target']), ...(storage !== undefined && { storage: target(storage) }) };
    }
    case 'kill':
      only(fields, ['id', 'verb', 'target']);
      return { id, verb, target: target(fields['target']) };
    case 'start-browser': {
      only(fields, ['id', 'verb', 'target', 'cell', 'proxyPort', 'hideScrollbars', 'extraArgs']);
      const { proxyPort, hideScrollbars, extraArgs } = fields;
      if (typeof proxyPort !== 'number' || !Number.isInteger(proxyPort) || proxyPort < 1 || proxyPort > 65_535)
        throw bad('proxyPort');
      if (typeof hideScrollbars !== 'boolean') throw bad('hideScrollbars');
      if (!isArgs(extraArgs)) throw bad('extraArgs');
      const [name, cell] = [target(fields['target']), target(fields['cell'])];
      return { id, verb, target: name, cell, proxyPort, hideScrollbars, extraArgs };
    }
    default:
      throw bad('verb');
  }
}

function isArgs(value: unknown): value is string[] {
  return (
    Array.isArray(value) &&
    value.length <= MAX_ARGS &&
    value.every((arg) => typeof arg === 'string' && arg.length <= MAX_ARG_CHARS && !arg.includes('\0'))
  );
}

function target(value: unknown): string {
  if (typeof value !== 'string' || !TARGET.test(value)) throw bad('target');
  return value;
}

function record(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw bad('form');
  return value as Record<string, unknown>; // an object by the line above
}

function only(fields: Record<string, unknown>, names: readonly string[]): void {
  if (Object.keys(fields).some((name) => !names.includes(name))) throw bad('unknown field');
}

function bad(what: string): AppError {
  return new AppError('bad-control', `The launcher rejects this request: ${what}.`);
}
