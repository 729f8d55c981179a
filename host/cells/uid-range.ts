import { AppError } from '../../core/protocol/errors.ts';

/** User ids of cells and their browsers, both ends included. Group ids are the same numbers. */
export interface UidRange {
  readonly first: number;
  readonly last: number;
}

/** A range that neither distributions nor systemd use; it fits into 16 bits, which containers map. */
export const DEFAULT_UIDS: UidRange = { first: 60_578, last: 61_183 };

const MAX_UIDS = 65_536;

/**
 * Parses `FIRST-LAST`.
 *
 * @throws AppError `bad-option` for anything but two numbers with room for at least one pair.
 */
export function parseUidRange(text: string): UidRange {
  const [, first, last] = /^(\d{1,10})-(\d{1,10})$/.exec(text) ?? [];
  const range = { first: Number(first), last: Number(last) };
  if (!isUidRange(range))
    throw new AppError(
      'bad-option',
      `--cell-uids: ${JSON.stringify(text)} is not a range of user ids: write FIRST-LAST.`,
    );
  return range;
}

/** Whether the range has at least one pair, no system user, and a bounded number of ids. */
export function isUidRange({ first, last }: UidRange): boolean {
  return (
    Number.isSafeInteger(first) &&
    Number.isSafeInteger(last) &&
    first >= 1000 &&
    last > first &&
    last < 0xffff_fffe &&
    last - first < MAX_UIDS
  );
}
