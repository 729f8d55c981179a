/** Bytes that become text at once: an engine bounds how many arguments a call takes. */
const CHUNK_BYTES = 8192;

/** Bytes as base64. */
export function toBase64(bytes: Uint8Array): string {
  let characters = '';
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
    characters += String.fromCharCode(...bytes.subarray(at, at + CHUNK_BYTES));
  return btoa(characters);
}

/** The bytes of a text that is base64. @throws DOMException for one that is not. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = characters.charCodeAt(at);
  return bytes;
}
