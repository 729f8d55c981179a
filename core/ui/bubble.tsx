import type { ReactElement, ReactNode } from 'react';
import type { Box } from '../contracts/box.ts';

interface BubbleProps {
  /** Of the field, in the shell's viewport. */
  readonly box: Box;
  /** A notice. */
  readonly children: ReactNode;
}

/** Widest bubble, and the height that most fit in, in CSS px. */
const SIZE = { width: 320, height: 88 };
/** Distance from the field, in CSS px. */
const GAP = 8;

/** Holds a notice at a field of the page: below it, or above where there is no room. Presses go through it. */
export function Bubble({ box, children }: BubbleProps): ReactElement {
  const below = Math.max(0, box.y + box.height + GAP);
  const isAbove = below + SIZE.height > innerHeight && box.y > SIZE.height;
  const left = Math.max(0, Math.min(box.x, innerWidth - SIZE.width));
  const inset = isAbove
    ? { bottom: Math.min(innerHeight - box.y + GAP, innerHeight - SIZE.height) }
    : { top: Math.min(below, innerHeight - SIZE.height) };
  return (
    <div className="vitrine-bubble" data-side={isAbove ? 'above' : 'below'} style={{ ...inset, left }}>
      {children}
    </div>
  );
}
