import type { ReactElement } from 'react';
import type { Box } from '../../../core/index.ts';
import { Bubble, Notice } from '../../../core/ui.ts';

export interface BubbleProps {
  /** The field, in the shell's viewport. */
  readonly box: Box;
  readonly text: string;
}

/** A notice at a field. */
export default function EchoBubble({ box, text }: BubbleProps): ReactElement {
  return (
    <Bubble box={box}>
      <Notice kind="warning">{text}</Notice>
    </Bubble>
  );
}
