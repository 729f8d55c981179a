import type { Box } from './box.ts';
import type { Target } from '../protocol/target.ts';

/** Text with a selection: offsets in UTF-16 units, `start` is at most `end`. */
export interface TextState {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Properties of an editable, known before anything is typed into it. */
export interface EditableTraits {
  /** `control`: an input or a text area. `rich`: an element whose content is edited; the text is then that of one block around the caret. */
  readonly kind: 'control' | 'rich';
  /** Enter begins a new line in it. */
  readonly isMultiline: boolean;
  /** It shows a bullet for each character. */
  readonly isSecret: boolean;
  /** The page lets nobody edit it. */
  readonly isReadOnly: boolean;
  /** The control's type as the page has it: `text`, `email`, `number`, `textarea`, ...; of rich text `rich`. */
  readonly type: string;
  /** Most UTF-16 units that a person can type into it; undefined without a limit. */
  readonly maxLength: number | undefined;
  /** White space is kept as it is typed. */
  readonly keepsSpaces: boolean;
}

/**
 * The editable text that has the focus in the page. While {@link show} has put something else there, changes by the page are remembered and
 * do not touch it: `page()` has them. Otherwise the view shows what the page has.
 */
export interface Editable extends EditableTraits {
  /** The control, or the element that is the root of the rich text. */
  readonly target: Target;
  /** The page's own state, as far as the view knows; undefined while the page has its selection elsewhere, or in more than one text node. */
  page(): TextState | undefined;
  /** All of its text, as the page has it, where it can be read at once. */
  wholeText(): string | undefined;
  /** The state that the view shows; equal to `page()` unless something is shown instead. */
  shown(): TextState | undefined;
  /**
   * Shows something else than what the page has.
   *
   * @returns false where that cannot be shown: the text differs from the page's in more than one text node.
   */
  show(state: TextState): boolean;
  /** Keeps the text as the view has it now from changes by the page, as while an input method composes in it, until it is released. */
  hold(): void;
  /** Whether it is held: then it is shown and released by whoever holds it, and by nobody else. */
  readonly isHeld: boolean;
  /** Shows what the page has again. */
  release(): void;
  /** Whether the view still has it, and the page its focus in it. */
  isThere(): boolean;
  /** The caret's line in the shell's viewport, as well as it is known. */
  box(): Box | undefined;
}

/** A boundary point: a node of the page; UTF-16 units in a text, children elsewhere. */
type Point = readonly [node: number, offset: number];

/** The person's selection in a document of the view where the page has selected something else. */
export interface ViewSelection {
  readonly frame: number;
  readonly epoch: number;
  /** In a text control, between two points of a document, or nothing: with a caret that edits nothing, or without one. */
  readonly what:
    | { readonly control: number; readonly start: number; readonly end: number }
    | { readonly anchor: Point; readonly focus: Point; readonly isBackward: boolean; readonly active: number }
    | 'caret'
    | 'nothing';
}

/** Editing in the view, ahead of the page's answer. Loaded on demand. */
export interface Editing {
  /** The editable that has the focus, in the page and in the view; undefined where there is none. The same object while that is so. */
  focused(): Editable | undefined;
  /** The editable that has the focus in the view, whether or not the page has it there yet: the one that {@link focused} returns once it has. */
  entered(): Editable | undefined;
  /**
   * The selection in a document of the view; undefined where it is the page's, where the page cannot have it, and while text is shown or held
   * that the page does not have.
   */
  selection(document: Document): ViewSelection | undefined;
  /** Called after changes of the page have been drawn in the frame of the focused editable. Returns a function that removes the listener. */
  onDrawn(listener: () => void): () => void;
}
