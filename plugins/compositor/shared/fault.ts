import { AppError } from '../../../core/protocol/errors.ts';

/** What cannot be read, or must not be written: code `bad-binary`. */
export function badBinary(why: string): AppError {
  return new AppError('bad-binary', why);
}

/** The same fault, said to lie within a field: `layer_updates: 3: bounds: past the end`. */
export function within(place: string | number, thrown: unknown): unknown {
  return thrown instanceof AppError ? new AppError(thrown.code, `${place}: ${thrown.message}`) : thrown;
}
