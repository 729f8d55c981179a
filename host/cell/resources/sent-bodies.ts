import { AppError } from '../../../core/protocol/errors.ts';
import { HeldBodies } from '../../link/held-bodies.ts';
import type { HeldPart } from '../../link/held-bodies.ts';

/** Maximum size of the bodies that are on their way to the gateway, in bytes. */
export const MAX_SENT_BYTES = 192 * 1024 * 1024;
/** Room that a body gets while its size is not known yet: as many as a link has calls are within the bound. */
const EXPECTED_BYTES = 512 * 1024;

/** The room of a cell's bodies that are on their way to the gateway: a slow client must not fill the memory of the cell. */
export class SentBodies {
  readonly #held = new HeldBodies(
    MAX_SENT_BYTES,
    () => new AppError('resource-busy', 'Too many resources are being sent.', { retryable: true }),
  );

  /** Takes room for a body that is to be fetched: before anything is waited for. @throws AppError `resource-busy`, retryable */
  expect(): HeldPart {
    return this.#held.hold(EXPECTED_BYTES);
  }
}
