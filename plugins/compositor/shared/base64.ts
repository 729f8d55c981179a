import * as v from 'valibot';
import type { Schema } from '../../../core/protocol/message.ts';

/** Bytes that become text at once: an engine bounds how many arguments a call takes. */
const CHUNK_BYTES = 8192;

/** Bytes as base64. */
export function toBase64(bytes: Uint8Array): string {
  let characters = '';
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
    characters += String.fromCharCode(...bytes.subarray(at, at + CHUNK_BYTES));
  return btoa(characters);
}

/** The bytes of a text that fits {@link base64Schema}. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = characters.charCodeAt(at);
  return bytes;
}

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
