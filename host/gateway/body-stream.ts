import { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pass } from '../base/pass.ts';
import type { LinkBody } from '../link/api.ts';
import { sizedBody } from './sized-body.ts';

/**
 * The stream of an answer to a browser, from a body of a link, which gets the memory of each chunk back once it is written.
 *
 * @param size the length that the answer announces, where it does: a body of another one ends the connection
 */
export function bodyStream(body: LinkBody, size: number | undefined): Readable {
  const stream = Readable.from(size === undefined ? body : sizedBody(body, size));
  const pipe = stream.pipe.bind(stream);
  return Object.assign(stream, {
    pipe<To extends NodeJS.WritableStream>(to: To, options?: { readonly end?: boolean }): To {
      // A response is done with a chunk that it has written; a transform may keep it.
      if (!(to instanceof ServerResponse) || options?.end === false) return pipe(to, options);
      pass(stream, to, (chunk) => body.spent?.(chunk));
      return to;
    },
  });
}
