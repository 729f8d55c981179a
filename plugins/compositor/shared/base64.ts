import * as v from 'valibot';
import type { Schema } from '../../../core/protocol/message.ts';

/** Groups of four are counted apart: an engine's stack does not hold a pattern of millions of groups, as the schema library's own has. */
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Base64 with its padding and nothing between, of at most so many bytes. */
export function base64Schema(maxBytes: number): Schema<string> {
  return v.pipe(
    v.string(),
    v.maxLength(4 * Math.ceil(maxBytes / 3)),
    v.check((text) => text.length % 4 === 0 && BASE64.test(text), 'base64'),
  );
}
