/** Name under which trackers ask for custom elements, autonomous and built-in. */
export const CUSTOM = '-';
/** Name under which trackers ask for elements with a `popover` attribute. */
export const POPOVER = '[popover]';
/** Name under which trackers ask for elements with an empty attribute that names others: script may have set the elements. */
export const RELATED = '[aria]';

/** Tracks one kind of state that the tree does not show: of the elements it asks for, or of the document. */
export interface Tracker {
  /** Local names of the elements it asks for, or {@link CUSTOM}, {@link POPOVER}, {@link RELATED}. */
  readonly names?: readonly string[];
  /** Called when such an element has been written, under this id; must write nothing. */
  added?(element: Element, id: number, name: string): void;
  /** Called when an attribute of such an element has changed. */
  changed?(element: Element, id: number, attribute: string): void;
  /** Called when the content of such an element has changed, if that content is not written. */
  content?(element: Element, id: number): void;
  /** Writes state that must precede the content of the body. */
  early?(): void;
  /** Whether the page's last change must be sent apart from its next ones, or be seen before its frame is shown. */
  isUrgent?(records: readonly MutationRecord[]): boolean;
  /** Starts a new epoch: nothing has been sent. */
  reset(): void;
  /** Writes changes. `full`: after a poll, when there is time to check more. */
  collect(full: boolean): void;
}
