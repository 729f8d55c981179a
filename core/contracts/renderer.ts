import type { EditMeans } from '../protocol/edit-means.ts';
import type { Target } from '../protocol/target.ts';
import type { Box } from './box.ts';
import type { Editing } from './editing.ts';
import { token } from './token.ts';

/**
 * Shows the page. Input and features use targets, never nodes of the mirrored DOM, so that they work the same for mirrored and painted
 * pages. Exactly one renderer is provided per tab, under {@link rendererToken}.
 */
export interface Renderer {
  readonly name: 'mirror' | 'compositor';
  /** The element in the shell that shows the page. Events are listened for in it and in every document below it. */
  readonly view: HTMLElement;
  /** Calls back once for each current and future document that receives input. The callback returns its undo function. */
  documents(each: (view: ViewDocument) => () => void): () => void;
  /** The target at the position of a view event; undefined where there is no part of the page. */
  hitTest(event: MouseEvent | Touch): Target | undefined;
  /** The target with keyboard focus in the view. */
  focused(): Target | undefined;
  /** The boxes of a target in the shell's viewport, for overlays that follow it; empty when it no longer exists. */
  rects(target: Target): Box[];
  /** The caret's box in the shell's viewport, if there is a caret. */
  caret(): Box | undefined;
  /** Scrolls a scroller of the page to an offset, without notifying the surrogate. */
  scrollTo(target: Target, left: number, top: number): void;
  /** Listens for scrolling by the person: target and offsets in CSS px. Returns a function that removes the listener. */
  onScroll(listener: (target: Target, left: number, top: number) => void): () => void;
  /** Listens for changes of a form control's value by the person. Returns a function that removes the listener. */
  onEdit(listener: (edit: Edit) => void): () => void;
  /** Editing of text ahead of the page's answer; loaded on demand. */
  editing(): Promise<Editing>;
  /** Marks text of the page, as a search does; loaded on demand. */
  highlighter(): Promise<Highlighter>;
  /** Diagnostics of the renderer, loaded on demand. */
  diagnostics(): Promise<Diagnostics>;
}

/** Stretches of the text of one frame. */
export interface Highlights {
  readonly frame: number;
  readonly epoch: number;
  /** Four numbers each: node id and offset of the start, the same of the end. Of the value of a control, the node is the control. */
  readonly ends: readonly number[];
  /** The one that is marked apart, in the same form; empty for none. */
  readonly active: readonly number[];
}

/** Marks text in what is shown of the page, for one plugin. */
export interface Highlighter {
  /** Marks stretches in place of those that were marked in this frame before. Those that are not there are skipped. */
  set(highlights: Highlights): void;
  clear(): void;
  /** Where to draw over marks that the view itself cannot show: in controls, and everywhere in browsers without highlights. */
  boxes(): readonly MarkedBox[];
}

/** The box of a mark in the shell's viewport. */
export interface MarkedBox extends Box {
  readonly isActive: boolean;
}

/** Diagnostics of a renderer. */
export interface Diagnostics {
  /** Current counters and sizes. */
  readings(): Readings;
  /** Hides or shows video and scrollbars in pages. */
  setBare(isBare: boolean): void;
}

/** Figures of a renderer. The first three are counters that only increase. */
export interface Readings {
  /** Number of drawn commits, or batches of changes. */
  readonly commits: number;
  readonly mutations: number;
  /** Total drawing time, in ms. */
  readonly drawingMs: number;
  /** Number of commits that wait to be drawn. */
  readonly queued: number;
  /** Number of nodes of the page, or of its property trees. */
  readonly nodes: number;
  /** Memory used by the bitmaps of canvases, in bytes. */
  readonly canvasBytes: number;
}

/** A document in the view. */
export interface ViewDocument {
  readonly frame: number;
  readonly document: Document;
}

/** A change of a control in the view by the person, through the browser's own UI (date pickers, sliders, ...). */
export interface Edit {
  /** The control, or an element in it: what the person has pressed before. */
  readonly target: Target;
  readonly by: EditMeans;
  /** Of a select list, the indexes of its selected options, separated by commas. */
  readonly value: string;
}

/** The tab's renderer. */
export const rendererToken = token<Renderer>('vitrine.renderer');
