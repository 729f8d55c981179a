/** Longest name, in bytes of UTF-8: file systems hold 255, and browsers add ` (1)` and an ending of their own. */
const MAX_BYTES = 200;
/** Longest ending that is kept when a name is cut, in bytes. */
const MAX_ENDING_BYTES = 20;
const FALLBACK = 'download';

/** Names of devices, which Windows does not take with any ending. */
const RESERVED = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?=\.|$)/i;
/** Controls and formats: among these the marks that reverse text, so that `gpj.exe` is shown as `exe.jpg`; lone surrogates. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu;

/** Returns a name that Windows, macOS and Linux hold, for the name that a site gives. Idempotent. */
export function safeFileName(name: string): string {
  const last = name.slice(-1000).split(/[/\\]/).at(-1) ?? '';
  const plain = last
    .replace(UNSEEN, '')
    .normalize('NFC')
    .replace(/[<>:"|?*]/g, '_')
    .replace(/\s+/gu, ' ');
  const trimmed = cut(plain.replace(/^[ .]+/, '')).replace(/[ .]+$/, '');
  const free = trimmed.replace(RESERVED, '_$&');
  return free === '' ? FALLBACK : free;
}

/** Cuts a name in front of its ending. */
function cut(name: string): string {
  const bytes = Buffer.from(name);
  if (bytes.length <= MAX_BYTES) return name;
  const dot = name.lastIndexOf('.');
  const ending = dot > 0 && Buffer.byteLength(name.slice(dot)) <= MAX_ENDING_BYTES ? name.slice(dot) : '';
  // A character that is cut in two becomes a replacement character, which goes. One byte less: a reserved name gets a `_`.
  const kept = bytes
    .subarray(0, MAX_BYTES - 1 - Buffer.byteLength(ending))
    .toString('utf8')
    .replace(/\uFFFD+$/, '');
  return kept.replace(/[ .]+$/, '') + ending;
}
