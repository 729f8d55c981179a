/** Head of a route's answer, as it crosses the link or comes from a thread. */
import * as v from 'valibot';
import { ROUTE_TYPES } from './routes.ts';

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** Fields of the head besides the status. */
export const routeHeadFacts = {
  type: v.picklist(ROUTE_TYPES),
  // The gateway encodes it (RFC 6266): what it must not be is a path, or something that ends the header.
  filename: v.exactOptional(v.pipe(v.string(), v.regex(/^[^\p{Cc}/\\]{1,255}$/u))),
  size: v.exactOptional(count),
  part: v.exactOptional(v.object({ first: count, last: count, total: v.exactOptional(count) })),
  tag: v.exactOptional(v.pipe(v.string(), v.regex(/^[\w-]{1,100}$/))),
};
