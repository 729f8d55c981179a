import { toAppError } from '../protocol/errors.ts';
import type { AppError } from '../protocol/errors.ts';

/** A listener whose faults, thrown or rejected, go to `onFault`. */
export function guarded<A extends readonly unknown[]>(
  listener: (...args: A) => unknown,
  onFault: (fault: AppError) => void,
): (...args: A) => void {
  return (...args) => {
    try {
      const outcome = listener(...args);
      if (outcome instanceof Promise) outcome.catch((thrown: unknown) => onFault(toAppError(thrown)));
    } catch (thrown) {
      onFault(toAppError(thrown));
    }
  };
}
