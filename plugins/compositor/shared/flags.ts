/*
 * The enumerations that host and client share. The documents do not show their values; all are ours. A bit, once given, keeps its
 * meaning: another is another version of the format (`binary.ts`). Readers refuse bits that are not named here.
 */

/** Bits of a commit. What the specification names on its own (`is_main_frame`, `full_tree`, `reset_cache`) is a field of its own. */
export const COMMIT_FLAGS = {
  /** Contents of tiles are still on their way, as display list deltas: not ready to be activated before they are there. */
  awaitsTiles: 1,
  /** The first of another document in this frame: what was shown before stays only until this one is activated. */
  newDocument: 2,
  /** Something moves by itself: the next commit follows by the frame delay, without any input. */
  animating: 4,
} as const;

/** Bits of a commit's configuration. */
export const CONFIG_FLAGS = {
  /** The client may scroll by itself and tell afterwards. */
  localScroll: 1,
  /** Videos may be shown by an element over the picture, not only copied into it. */
  nativeVideo: 2,
  /** Tiles may be elements of the page: an image travels as its own bytes. */
  elementTiles: 4,
} as const;

/** Who listens to wheel or touch events in a frame: what may be scrolled before the surrogate has answered. */
export const LISTENER_FLAGS = {
  /** Listeners that promise not to prevent the default. */
  passive: 1,
  /** Listeners that may prevent it: scrolling waits for them. */
  blocking: 2,
} as const;

/** Bits of a layer. */
export const LAYER_FLAGS = {
  /** Has a picture of its own. */
  drawsContent: 1,
  /** Keeps its place, but is not shown. */
  invisible: 2,
  /** Covers all that lies under its bounds. */
  opaque: 4,
  /** Not shown from behind. */
  backfaceHidden: 8,
} as const;

/**
 * What a touch may do by itself in an area, as CSS `touch-action` allows it. Values are bits, as in the surrogate, so that what nested
 * elements allow together is their `&`.
 */
export const TOUCH_ACTION = {
  none: 0,
  panLeft: 1,
  panRight: 2,
  panX: 3,
  panUp: 4,
  panDown: 8,
  panY: 12,
  pan: 15,
  pinchZoom: 16,
  manipulation: 31,
  doubleTapZoom: 32,
  auto: 63,
} as const;

/** Bits of a transform node. */
export const TRANSFORM_FLAGS = {
  /** What lies below it is flattened into its plane. */
  flattens: 1,
  /** Changes by itself: not worth drawing at its exact scale. */
  animates: 2,
  /** Moves with the lower or right edge of the inner viewport, by the commit's bounds deltas. */
  movedByInnerBounds: 4,
  /** Moves with that of the outer one. */
  movedByOuterBounds: 8,
} as const;

/** Bits of a scroll node. */
export const SCROLL_FLAGS = {
  /** A person can scroll it sideways. */
  horizontal: 1,
  /** A person can scroll it up and down. */
  vertical: 2,
  /** The viewport that zooming moves. */
  innerViewport: 4,
  /** The viewport that the document scrolls in. */
  outerViewport: 8,
  /** Only the surrogate's main thread can scroll it right. */
  mainThread: 16,
} as const;

/** Bits of an effect node. */
export const EFFECT_FLAGS = {
  /** What lies below it is drawn apart and then as one, even where opacity and blending do not ask for it. */
  isolates: 1,
  /** Opacity changes by itself. */
  animates: 2,
  /** Keeps its place, but nothing below it is shown. */
  hidden: 4,
} as const;
