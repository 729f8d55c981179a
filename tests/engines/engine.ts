/** A size in CSS px. */
export interface Viewport {
  readonly width: number;
  readonly height: number;
}

/** Keys, mouse or wheel of a person, in the format that both WebDriver and WebDriver BiDi use. */
export type InputSource =
  | { readonly type: 'key'; readonly id: string; readonly actions: readonly KeyAction[] }
  | { readonly type: 'pointer'; readonly id: string; readonly actions: readonly PointerAction[] }
  | { readonly type: 'wheel'; readonly id: string; readonly actions: readonly WheelAction[] };
interface KeyAction {
  readonly type: 'keyDown' | 'keyUp';
  readonly value: string;
}
export type PointerAction =
  | { readonly type: 'pointerMove'; readonly x: number; readonly y: number }
  | { readonly type: 'pointerDown' | 'pointerUp'; readonly button: number };
/** A turn of the wheel at a point; deltas in CSS px. */
interface WheelAction {
  readonly type: 'scroll';
  readonly x: number;
  readonly y: number;
  readonly deltaX: number;
  readonly deltaY: number;
}
/** Deadline of one call to a browser, in ms. */
export const CALL_MS = 60_000;

/** A browser of another engine than the surrogate's, with one tab. */
export interface Engine {
  /** Name and version, as the browser reports them. */
  readonly version: string;
  /** Opens an address and waits until its document has loaded. */
  goto(url: string): Promise<void>;
  /** Runs a function in the top document; argument and result are passed as JSON. Throws what it throws. */
  evaluate<T, A>(body: (argument: A) => T | Promise<T>, argument: A): Promise<T>;
  /** Performs a person's input, action by action. */
  perform(sources: readonly InputSource[]): Promise<void>;
  /** One step in the history of the tab. */
  traverse(delta: -1 | 1): Promise<void>;
  /** PNG of the viewport. */
  picture(): Promise<Buffer>;
  close(): Promise<void>;
}

/** The expression that both protocols evaluate: a promise of the result's JSON text. */
export function expressionOf(body: (argument: never) => unknown, argument: unknown): string {
  return `(async () => JSON.stringify(await (${body.toString()})(${JSON.stringify(argument)})) ?? 'null')()`;
}
