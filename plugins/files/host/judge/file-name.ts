/** Longest name in UTF-8 bytes: file systems hold 255, and programs add to names (" (1)", ".part"). */
const MAX_BYTES = 200;

/** Longest extension that is kept when a name is cut, in UTF-8 bytes with its dot. */
const MAX_EXTENSION_BYTES = 24;

/** Code units of a name that are looked at, from its beginning and from its end: names are hostile, work is bounded. */
const LOOKED_AT = 1024;

/** Devices of Windows, with any extension; the superscript digits count as digits there. */
const RESERVED = /^(?:con|prn|aux|nul|clock\$|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?=[. ]|$)/i;

/** Controls, direction overrides, isolates, marks and tags, line separators; joiners stay, which Persian and emoji need. */
const INVISIBLE = /(?![‌‍])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

const FORBIDDEN = /[<>:"/\\|?*]/g;

/** The longest beginning of whole code points within so many UTF-8 bytes. */
function cutBytes(text: string, bytes: number): string {
  let used = 0;
  let end = 0;
  for (const point of text) {
    used += Buffer.byteLength(point);
    if (used > bytes) break;
    end += point.length;
  }
  return text.slice(0, end);
}

function shortened(name: string): string {
  if (Buffer.byteLength(name) <= MAX_BYTES) return name;
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 ? name.slice(dot) : '';
  const kept = Buffer.byteLength(extension) <= MAX_EXTENSION_BYTES ? extension : '';
  const base = kept === '' ? name : name.slice(0, dot);
  return cutBytes(base, MAX_BYTES - Buffer.byteLength(kept)).replace(/[. ]+$/, '') + kept;
}

function bounded(name: string): string {
  const part = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
  return part.length <= 2 * LOOKED_AT ? part : part.slice(0, LOOKED_AT) + part.slice(-LOOKED_AT);
}

/**
 * A name for a file that Windows, macOS and Linux hold and show as it is: the last part of a path, without controls and direction overrides, not
 * reserved, at most 200 UTF-8 bytes with its extension kept, never empty (`download`). Idempotent; bounded time for a name of any length.
 */
export function safeFileName(name: string): string {
  const visible = bounded(name).toWellFormed().replace(INVISIBLE, '').replace(FORBIDDEN, '_');
  const plain = visible
    .normalize('NFC')
    .replace(/\s+/gu, ' ')
    .replace(/^ +/, '')
    .replace(/^(?:\. *)+(?=\.)/, '') // one leading dot may stay: `.gitignore`
    .replace(/^\. +/, '.');
  const ended = shortened(RESERVED.test(plain) ? `_${plain}` : plain).replace(/(?<![. ])[. ]+$/, '');
  return ended === '' || /^[. ]+$/.test(ended) ? 'download' : ended;
}
