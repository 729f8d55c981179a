import { HIGHLIGHT_KINDS } from '../ops.ts';
import type { Realm } from './realm.ts';

/**
 * Sets a custom highlight from the ends of its ranges, or removes it when it has no ranges. Ranges whose nodes are unknown or too short
 * are skipped; browsers without highlights show none.
 */
export function highlight(
  { window, document }: Realm,
  name: string,
  priority: number,
  kind: number,
  ends: readonly number[],
  nodeOf: (id: number) => Node | undefined,
): void {
  const highlights = (window.CSS as Partial<typeof CSS>).highlights;
  if (!highlights) return;
  const ranges: Range[] = [];
  for (let at = 0; at + 3 < ends.length; at += 4) {
    const [startId = 0, start = 0, endId = 0, end = 0] = ends.slice(at, at + 4);
    const [from, to] = [nodeOf(startId), nodeOf(endId)];
    if (!from || !to) continue;
    const range = Document.prototype.createRange.call(document);
    try {
      range.setStart(from, start);
      range.setEnd(to, end);
      ranges.push(range);
    } catch {
      // The offset is past the end of the node.
    }
  }
  if (ranges.length === 0) highlights.delete(name);
  else {
    const made = new window.Highlight(...ranges);
    made.priority = priority;
    made.type = HIGHLIGHT_KINDS[kind] ?? 'highlight';
    highlights.set(name, made);
  }
}
