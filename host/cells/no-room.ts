import { AppError } from '../../core/protocol/errors.ts';

/** Time after which a person whose network address has used its share may try again, in seconds. */
const SHARE_RETRY_S = 10;

/** All cells are taken: the person waits, or comes again. */
export function noneFree(): AppError {
  return new AppError('pool-depleted', 'No cell is free.', { retryable: true });
}

/** The person's network address has as many cells as it may. */
export function shareUsed(): AppError {
  const message = 'Too many sessions run for this network address. Close one, or come again later.';
  return new AppError('address-share', message, { retryable: true, data: { retryAfterS: SHARE_RETRY_S } });
}
