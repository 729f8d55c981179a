import { AppError } from '../protocol/errors.ts';

/** What a poller goes by; all of it is required. */
interface PollerOptions {
  /** Ends the polling when it is true. */
  readonly condition: () => boolean;
  readonly maxPolls: number;
  /** In milliseconds. */
  readonly intervalMs: number;
  /** Before the first look; the interval unless given. */
  readonly firstMs?: number;
}

/**
 * Looks again and again until a condition holds; resolves with whether it came to that.
 *
 * @throws AppError `bad-poller` without a condition, a count and an interval (S-097).
 */
export function poll({ condition, maxPolls, intervalMs, firstMs = intervalMs }: PollerOptions): Promise<boolean> {
  if (typeof condition !== 'function' || !(maxPolls > 0) || !(intervalMs > 0))
    throw new AppError('bad-poller', 'a poller needs a condition, a largest count and an interval');
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
