/** Something that the person can do with the tab: an entry of its menu. */
export interface TabAction {
  /** `plugin.action`, unique in the tab. */
  readonly id: string;
  /** In the person's language. */
  readonly label: string;
  /** An icon of the kit: an `IconName` of `vitrine/ui`. */
  readonly icon?: string;
  /** `page`: with what it shows; `tab`: with the tab itself; `about`: information. Groups come in this order. */
  readonly group: 'page' | 'tab' | 'about';
  /** Place in the group, ascending; default 0. */
  readonly order?: number;
  /** The key that does the same, as in `aria-keyshortcuts`; `Mod` is Command on Apple's systems and Control elsewhere: `Mod+P`. */
  readonly keys?: string;
  /** The policy does not let the person, or it does not apply now. */
  readonly disabled?: boolean;
  /** Of an action that switches something. */
  readonly checked?: boolean;
  /** Runs within the gesture of the person who has chosen it. */
  readonly act: () => void | Promise<void>;
}

/** A list of actions that somebody is about to show. */
export interface ActionList {
  /** Offers actions, at once: a promise of them where their texts have to be loaded. Late ones are not shown. */
  offer(actions: readonly TabAction[] | Promise<readonly TabAction[]>): void;
}
