import type { ReactElement } from 'react';
import { Icon, keyHint } from '../../../core/ui.ts';

/** The key that opens the menu, too. */
const KEYS = 'Control+Shift+F10';

export interface ButtonProps {
  readonly label: string;
  readonly onPress: () => void;
}

/** A small button at the edge of the view that opens the menu. A press of a pointer leaves the focus in the page. */
export default function TabMenuButton({ label, onPress }: ButtonProps): ReactElement {
  return (
    <button
      type="button"
      className="vitrine-icon-button vitrine-tab-menu"
      aria-label={label}
      aria-haspopup="menu"
      aria-keyshortcuts={KEYS}
      title={`${label} (${keyHint(KEYS)})`}
      onMouseDown={(event) => {
        event.preventDefault();
      }}
      onClick={onPress}
    >
      <Icon name="more" />
    </button>
  );
}
