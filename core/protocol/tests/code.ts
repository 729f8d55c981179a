import { AppError } from '../errors.ts';

/** The code of the error that a call throws: `none` where it throws nothing. */
export function code(run: () => unknown): string {
  try {
    run();
    return 'none';
  } catch (thrown) {
    return thrown instanceof AppError ? thrown.code : 'no AppError';
  }
}
