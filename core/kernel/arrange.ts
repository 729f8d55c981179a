import type { Recorder } from '../contracts/kernel.ts';
import { isContent } from './content.ts';
import { dom } from './dom.ts';
import type { Entry, Ids } from './ids.ts';
import { longestIncreasing } from './increasing.ts';
import type { Walk } from './walk.ts';

/** Dependencies of the comparison of child lists. */
interface ArrangeOptions {
  readonly ids: Ids;
  readonly recorder: Recorder;
  readonly walk: Walk;
  /** An entry is no longer a child of this parent: it is removed unless another parent takes it in the same flush. */
  readonly onDeparted: (entry: Entry) => void;
}

/**
 * Updates the sent children of one parent to match the current ones, with as few ops as possible: common ends are skipped, the longest run
 * of nodes in unchanged order stays, other nodes are moved, new ones are written. Ancestors must be arranged first, so that no node is ever
 * moved into itself.
 */
export function arrange(parent: Entry, options: ArrangeOptions): void {
  const old = parent.children.filter((child) => child.parent === parent);
  const now: Node[] = [];
  for (let node = dom.firstChild(parent.node); node; node = dom.nextSibling(node)) if (isContent(node)) now.push(node);

  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && old[start]?.node === now[start]) start++;
  let tail = 0;
  while (tail < shorter - start && old[old.length - 1 - tail]?.node === now[now.length - 1 - tail]) tail++;

  const suffix = old.slice(old.length - tail);
  const middle = old.slice(start, old.length - tail);
  const wanted = now.slice(start, now.length - tail);
  const staying = settle(parent, middle, wanted, options);

  const result = old.slice(0, start);
  const last = suffix[0]?.id ?? 0;
  let stay = 0;
  for (let i = 0; i < wanted.length;) {
    const node = wanted[i] as Node; // i is within bounds
    const entry = options.ids.of(node);
    const before = staying[stay]?.id ?? last;
    if (!entry) {
      let next = i + 1;
      while (next < wanted.length && !options.ids.of(wanted[next] as Node)) next++;
      options.walk.run(parent, node, now[start + next] ?? null, before, result);
      i = next;
      continue;
    }
    if (entry === staying[stay]) stay++;
    else {
      entry.parent = parent;
      options.recorder.move(entry.id, parent.id, before);
    }
    result.push(entry);
    i++;
  }
  parent.children = result.concat(suffix);
}

/** Finds the old entries that stay in place, in order. Entries that are no longer wanted here depart. */
function settle(parent: Entry, middle: Entry[], wanted: Node[], { ids, onDeparted }: ArrangeOptions): Entry[] {
  if (middle.length === 0) return [];
  for (const [index, entry] of middle.entries()) entry.order = index;
  const kept: Entry[] = [];
  for (const node of wanted) {
    const entry = ids.of(node);
    if (entry?.parent === parent) kept.push(entry);
  }
  const staying = longestIncreasing(kept.map((entry) => entry.order)).map((index) => kept[index] as Entry);
  for (const entry of kept) entry.order = -1;
  for (const entry of middle) {
    if (entry.order < 0) continue;
    entry.order = -1;
    entry.parent = null;
    onDeparted(entry);
  }
  return staying;
}
