import type { ReactElement } from 'react';
import type { Box } from '../../../core/index.ts';
import { Notice } from '../../../core/ui.ts';

export interface BubbleProps {
  /** The field, in the shell's viewport. */
  readonly box: Box;
  readonly text: string;
}

/** Most that the bubble takes of the window, in CSS px, so that it is not outside of it. */
const SIZE = { width: 320, height: 64 };

/** A notice at a field: below it, or above where there is no room. */
export default function Bubble({ box, text }: BubbleProps): ReactElement {
  const below = box.y + box.height + 4;
  const top = below + SIZE.height > innerHeight ? Math.max(0, box.y - SIZE.height) : below;
  const left = Math.max(0, Math.min(box.x, innerWidth - SIZE.width));
  return (
    <div className="vitrine-echo-bubble" style={{ top, left }}>
      <Notice kind="warning">{text}</Notice>
    </div>
  );
}
