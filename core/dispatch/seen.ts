import type { Renderer } from '../contracts/renderer.ts';
import type { visibleTree } from '../protocol/core-messages.ts';
import type { ResultOf } from '../protocol/message.ts';

type Seen = ResultOf<typeof visibleTree>[number];
type Box = Seen['box'];

/** Visible part of each frame, outer frames first. */
export function seenFrames(window: Window, renderer: Renderer | undefined): Seen[] {
  const frames = new Map<Document, number>();
  const stop = renderer?.documents(({ frame, document }) => {
    frames.set(document, frame);
    return () => undefined;
  });
  stop?.();
  const shell = { x: 0, y: 0, width: window.innerWidth, height: window.innerHeight };
  const found = new Map<Document, Seen | undefined>();
  /** The visible part of a frame is within the visible part of its parent frame. */
  const see = (document: Document, frame: number): Seen | undefined => {
    if (found.has(document)) return found.get(document);
    const inner = document.defaultView;
    const [origin] = renderer?.rects({ frame, x: 0, y: 0 }) ?? [];
    const outer = inner?.frameElement?.ownerDocument; // same origin, like the whole view
    const parent = outer && frames.get(outer);
    const room = parent === undefined ? shell : see(outer as Document, parent)?.box; // known: it has a number
    const box = origin && inner && room && overlap(origin, inner, room);
    const seen = box ? { frame, parent: parent ?? 0, box } : undefined;
    found.set(document, seen);
    return seen;
  };
  for (const [document, frame] of frames) see(document, frame);
  return [...found.values()].filter((seen) => seen !== undefined);
}

function overlap({ x, y }: Box, { innerWidth, innerHeight }: Window, room: Box): Box | undefined {
  const left = Math.max(x, room.x);
  const top = Math.max(y, room.y);
  const width = Math.min(x + innerWidth, room.x + room.width) - left;
  const height = Math.min(y + innerHeight, room.y + room.height) - top;
  return width > 0 && height > 0 ? { x: left, y: top, width, height } : undefined;
}

/** The smallest box that contains all boxes. */
export function around(boxes: readonly Box[]): Box | null {
  if (boxes.length === 0) return null;
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}

/** Waits until the browser has drawn the current state; false in a hidden window, which draws nothing. */
export function drawn(window: Window): Promise<boolean> {
  return new Promise((resolve) => {
    if (window.document.hidden) resolve(false);
    // The callback runs before its frame is drawn; a task queued there runs after.
    else window.requestAnimationFrame(() => setTimeout(resolve, 0, true));
  });
}
