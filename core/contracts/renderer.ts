import type { Target } from '../protocol/target.ts';
import { token } from './token.ts';

/** A rectangle in the person's layout viewport, in CSS px. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * A way to show the page. Input and features speak to it in targets, never in nodes of the mirrored DOM, so that they work the
 * same whether the page is mirrored or painted. Exactly one is provided per tab, under {@link rendererToken}.
 */
export interface Renderer {
  readonly name: 'mirror' | 'compositor';
  /** The element in the shell that shows the page: events are listened for in it and in every document below it. */
  readonly view: HTMLElement;
  /** Every document that input can arrive in, now and later; the callback runs once per document and answers with its undo. */
  documents(each: (view: ViewDocument) => () => void): () => void;
  /** What lies under an event of the view; undefined where nothing of the page is. */
  hitTest(event: MouseEvent | Touch): Target | undefined;
  /** What has the keyboard focus in the view. */
  focused(): Target | undefined;
  /** The boxes of a target in the shell's viewport, for overlays that follow it; empty when it is gone. */
  rects(target: Target): Box[];
  /** The caret's box in the shell's viewport, if there is one. */
  caret(): Box | undefined;
  /** Scrolls a scroller of the page to an offset, without telling the surrogate. */
  scrollTo(target: Target, left: number, top: number): void;
  /** Runs when the person has scrolled something of the page: target and offsets in CSS px. Answers with its undo. */
  onScroll(listener: (target: Target, left: number, top: number) => void): () => void;
  /** Runs when the person has changed a form control's value in the view. Answers with its undo. */
  onEdit(listener: (edit: Edit) => void): () => void;
  /** For those who watch it at work: loaded when it is asked for. */
  workings(): Promise<Workings>;
}

/** A renderer at work. */
export interface Workings {
  /** What it has done so far, and what it holds now. */
  readings(): Readings;
  /** Shows pages without video and scrollbars from now on, or with them again. */
  setBare(isBare: boolean): void;
}

/** Figures of a renderer. The first three are counts that only rise. */
export interface Readings {
  /** Commits, or batches of changes, that have been drawn. */
  readonly commits: number;
  readonly mutations: number;
  /** Time that drawing them has taken, in ms. */
  readonly drawingMs: number;
  /** Commits that wait to be drawn. */
  readonly queued: number;
  /** Nodes of the page, or of its property trees. */
  readonly nodes: number;
  /** What the bitmaps of canvases take. */
  readonly canvasBytes: number;
  readonly tiles: number;
}

/** A document of the view. */
export interface ViewDocument {
  readonly frame: number;
  readonly document: Document;
}

/** A change that the person made to a control in the view, by the browser's own means (date pickers, sliders, ...). */
export interface Edit {
  readonly target: Target;
  readonly value: string;
}

/** The tab's renderer. */
export const rendererToken = token<Renderer>('vitrine.renderer');
