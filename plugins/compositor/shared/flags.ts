/*
 * The enumerations that host and client share. The documents do not give their values; all are ours. A bit never changes its
 * meaning: that would be another version of the format (`binary.ts`). Readers refuse bits that are not named here.
 */

/** Bits of a commit. Flags that the specification names (`is_main_frame`, `full_tree`, `reset_cache`) are separate fields. */
export const COMMIT_FLAGS = {
  /** Contents of tiles will follow in display list deltas: do not activate the commit before they have arrived. */
  awaitsTiles: 1,
  /** First commit of another document in this frame: the old content stays only until this one is activated. */
  newDocument: 2,
  /** Something is animated: the next commit follows after the frame delay, without any input. */
  animating: 4,
} as const;

/** Bits of a commit's configuration. */
export const CONFIG_FLAGS = {
  /** The client may scroll on its own and report it afterwards. */
  localScroll: 1,
  /** Videos may be shown by an element over the picture, not only copied into it. */
  nativeVideo: 2,
  /** Tiles may be elements of the page: an image is sent as its original bytes. */
  elementTiles: 4,
} as const;

/** Kinds of wheel or touch listeners in a frame: they decide whether the client may scroll before the surrogate has answered. */
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
  /** Covers everything under its bounds. */
  opaque: 4,
  /** Not shown from behind. */
  backfaceHidden: 8,
} as const;

/**
 * Default actions of a touch that an area allows, as in CSS `touch-action`. Values are bits, as in the surrogate, so that nested
 * elements combine by `&`.
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
  /** Content below it is flattened into its plane. */
  flattens: 1,
  /** Is animated: not worth drawing at its exact scale. */
  animates: 2,
  /** Moves with the lower or right edge of the inner viewport, by the commit's bounds deltas. */
  movedByInnerBounds: 4,
  /** Moves with that of the outer viewport. */
  movedByOuterBounds: 8,
} as const;

/** Bits of a scroll node. */
export const SCROLL_FLAGS = {
  /** The person can scroll it horizontally. */
  horizontal: 1,
  /** The person can scroll it vertically. */
  vertical: 2,
  /** The viewport that zooming moves. */
  innerViewport: 4,
  /** The viewport that the document scrolls in. */
  outerViewport: 8,
  /** Only the surrogate's main thread can scroll it correctly. */
  mainThread: 16,
} as const;

/** Bits of an effect node. */
export const EFFECT_FLAGS = {
  /** Content below it is drawn separately and then as one picture, even if opacity and blending do not require it. */
  isolates: 1,
  /** Its opacity is animated. */
  animates: 2,
  /** Keeps its place, but its content is hidden. */
  hidden: 4,
} as const;
