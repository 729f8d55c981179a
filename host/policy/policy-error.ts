import { AppError } from '../../core/protocol/errors.ts';

/** A fault of a file, at the place of a value in it. */
export interface PolicyFault {
  /** Keys and indexes from the root. */
  readonly path: readonly (string | number)[];
  readonly message: string;
  /** Whether the key is wrong, not its value. */
  readonly key?: boolean;
}

/** A place in a file; both count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A fault as it is shown. */
export interface PlacedFault extends Position {
  readonly message: string;
}

/** Maximum number of faults in a message: one wrong indent can make hundreds. */
const MAX_SHOWN = 20;

/** An invalid policy file: code `bad-policy`, one line per fault as `file:line:column: reason`. */
export class PolicyError extends AppError {
  readonly faults: readonly PlacedFault[];

  constructor(file: string, faults: readonly PlacedFault[]) {
    const sorted = faults.toSorted((a, b) => a.line - b.line || a.column - b.column);
    // YAML reports some mistakes several times over.
    const lines = new Set(sorted.map((fault) => `${file}:${fault.line}:${fault.column}: ${oneLine(fault.message)}`));
    const shown = [...lines].slice(0, MAX_SHOWN);
    if (lines.size > MAX_SHOWN) shown.push(`${file}: and ${lines.size - MAX_SHOWN} more`);
    super('bad-policy', shown.join('\n'));
    this.faults = sorted;
  }
}

const MAX_MESSAGE = 500;

/** Messages quote the file: a quote must neither add lines nor fill the screen. */
function oneLine(message: string): string {
  const text = message.replace(/\p{Cc}/gu, (character) => JSON.stringify(character).slice(1, -1));
  return text.length > MAX_MESSAGE ? `${text.slice(0, MAX_MESSAGE)} ...` : text;
}
