import { AppError } from '../../../core/protocol/errors.ts';

/** Returns the error for bytes that cannot be read, or values that must not be written: code `bad-binary`. */
export function badBinary(why: string): AppError {
  return new AppError('bad-binary', why);
}

/** Adds the place of a fault to its message: `layer_updates: 3: bounds: past the end`. */
export function within(place: string | number, thrown: unknown): unknown {
  return thrown instanceof AppError ? new AppError(thrown.code, `${place}: ${thrown.message}`) : thrown;
}
