/** The name under which trackers ask for custom elements, autonomous and built-in. */
export const CUSTOM = '-';
/** The name under which trackers ask for elements with a `popover` attribute. */
export const POPOVER = '[popover]';
/** The name under which trackers ask for elements with an empty attribute that names others: script may have given the elements. */
export const RELATED = '[aria]';

/** Keeps one kind of state that the tree does not show: of the elements it wants, or of the document. */
export interface Tracker {
  /** Local names of the elements it wants to know of, or {@link CUSTOM}, {@link POPOVER}, {@link RELATED}. */
  readonly names?: readonly string[];
  /** Such an element has been written, under this id; nothing may be written now. */
  added?(element: Element, id: number, name: string): void;
  /** An attribute of such an element has changed. */
  changed?(element: Element, id: number, attribute: string): void;
  /** The content of such an element has changed, of those whose content is not written. */
  content?(element: Element, id: number): void;
  /** Writes what should be there before the content of the body. */
  early?(): void;
  /** Whether what the page has just changed must be told apart from what it changes next. */
  isUrgent?(): boolean;
  /** A new epoch: nothing has been sent. */
  reset(): void;
  /** Writes what is new. `full`: after a poll, when there is time to look at more. */
  collect(full: boolean): void;
}
