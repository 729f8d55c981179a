import type { DialogProps, SlotContribution } from '../contracts/slots.ts';
import type { MenuItem } from '../ui/menu.tsx';
import type { Place } from '../ui/menu-place.ts';

/** The items of a menu, and where it opens. The result is the id of the chosen item; undefined when the person has left. */
export interface AskMenuProps extends DialogProps<string | undefined> {
  readonly label: string;
  readonly items: readonly MenuItem[];
  /** A point of the window, or the box of what opens it. */
  readonly at: Place;
}

/** A menu over the page: `slots.ask(mySlot, menu, { label, items, at })`. */
export const menu: SlotContribution<AskMenuProps> = { load: () => import('./menu-part.tsx'), role: 'menu' };
