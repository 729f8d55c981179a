import type { AppError } from '../../core/protocol/errors.ts';
import type { LinkBody } from '../link/api.ts';

/** A body that calls `onOver` when it is over, however it ends, and fails with what `faultOf` makes of an error. */
export function followedBody(
  body: LinkBody,
  onOver: () => void,
  faultOf: (thrown: unknown) => AppError,
): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]: () => {
      const chunks = body[Symbol.asyncIterator]();
      return {
        next: async () => {
          try {
            const next = await chunks.next();
            if (next.done) onOver();
            return next;
          } catch (thrown) {
            onOver();
            throw faultOf(thrown);
          }
        },
        return: async () => {
          onOver();
          await chunks.return?.();
          return { done: true, value: undefined };
        },
      };
    },
  };
}
