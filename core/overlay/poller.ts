import { AppError } from '../protocol/errors.ts';

/** Options of a poller; all but `firstMs` are required. */
interface PollerOptions {
  /** Ends the polling when it returns true. */
  readonly condition: () => boolean;
  readonly maxPolls: number;
  /** In milliseconds. */
  readonly intervalMs: number;
  /** Delay before the first check; default `intervalMs`. */
  readonly firstMs?: number;
}

/**
 * Polls until a condition is true. Resolves with whether it became true.
 *
 * @throws AppError `bad-poller` without a condition, a count and an interval (S-097).
 */
export function poll({ condition, maxPolls, intervalMs, firstMs = intervalMs }: PollerOptions): Promise<boolean> {
  if (typeof condition !== 'function' || !(maxPolls > 0) || !(intervalMs > 0))
    throw new AppError('bad-poller', 'a poller needs a condition, a maximum count and an interval');
  return new Promise((resolve) => {
    let polls = 0;
    const look = (): void => {
      polls += 1;
      if (condition()) resolve(true);
      else if (polls >= maxPolls) resolve(false);
      else setTimeout(look, intervalMs);
    };
    setTimeout(look, firstMs);
  });
}
