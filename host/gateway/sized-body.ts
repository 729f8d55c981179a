import { AppError } from '../../core/protocol/errors.ts';
import type { LinkBody } from '../link/api.ts';

/**
 * A body whose length was sent before it: bytes past it are never passed on, since a browser would read them as the next answer of its
 * connection. Iteration throws an AppError `bad-message` when the body is longer or shorter.
 */
export function sizedBody(body: LinkBody, size: number): LinkBody {
  return {
    async *[Symbol.asyncIterator]() {
      let left = size;
      for await (const chunk of body) {
        left -= chunk.length;
        if (left < 0) throw new AppError('bad-message', `a body of more than ${size} bytes`);
        yield chunk;
      }
      if (left > 0) throw new AppError('bad-message', `a body that lacks ${left} bytes`);
    },
    abort: (reason) => body.abort(reason),
  };
}
