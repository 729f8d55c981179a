import { useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import type { Box } from '../../../core/index.ts';
import { Bubble, Notice } from '../../../core/ui.ts';

export interface BubbleProps {
  /** Returns the control's box in the shell's viewport, while it is there. */
  readonly measure: () => Box | undefined;
  readonly text: string;
  /** More of the page's words about it; empty for none. */
  readonly hint: string;
}

/** Says at a control what is wrong with it, and follows it. */
export default function ValidationBubble({ measure, text, hint }: BubbleProps): ReactElement | null {
  const [box, setBox] = useState(measure);
  useEffect(() => {
    let frame = 0;
    const follow = (): void => {
      setBox((before) => {
        const now = measure();
        return isSame(before, now) ? before : now;
      });
      frame = requestAnimationFrame(follow);
    };
    follow();
    return () => cancelAnimationFrame(frame);
  }, [measure]);
  if (!box || !isInView(box)) return null;
  return (
    <Bubble box={box}>
      <Notice kind="warning">
        <bdi>{text}</bdi>
        {hint && (
          <>
            <br />
            <bdi>{hint}</bdi>
          </>
        )}
      </Notice>
    </Bubble>
  );
}

function isInView({ x, y, width, height }: Box): boolean {
  return x < innerWidth && y < innerHeight && x + width > 0 && y + height > 0;
}

function isSame(a: Box | undefined, b: Box | undefined): boolean {
  return a === b || (!!a && !!b && a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height);
}
