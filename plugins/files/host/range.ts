/** Bytes that are asked for: from `first`, up to and without `end`. */
interface ByteRange {
  readonly first: number;
  readonly end: number;
}

/**
 * Reads a header `Range` (RFC 9110, 14.1.2) for a file of a size. Undefined: the whole file is the answer, as it is to several ranges, to
 * units other than bytes and to what is not valid, all of which a server may ignore.
 */
export function byteRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? [];
  if (from === '' && to === '') return undefined;
  if (from === '') {
    const last = Math.min(Number(to), size);
    return last === 0 ? 'unsatisfiable' : { first: size - last, end: size };
  }
  const first = Number(from);
  if (to !== '' && Number(to) < first) return undefined;
  if (first >= size) return 'unsatisfiable';
  return { first, end: to === '' ? size : Math.min(Number(to) + 1, size) };
}
