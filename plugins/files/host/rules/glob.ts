/**
 * Whether a text fits a pattern in which each `*` stands for any characters. The pattern is the administrator's and the text may be hostile:
 * each piece is looked for once, from the left, so that time grows with the length of the text alone for each `*`.
 */
export function fitsGlob(text: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return text === pattern;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const piece of rest) {
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}
