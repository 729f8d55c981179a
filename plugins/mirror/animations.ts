/** Text of an `animate` op, as JSON. For the document it is `{list: []}`: all animations that no other op names have ended. */
export interface AnimationsState {
  readonly list: readonly AnimationState[];
  /** Clock of an outermost `svg` element that has animations of its own: current time in seconds, and whether it is paused. */
  readonly clock?: readonly [seconds: number, paused: boolean];
}

/** Kinds of animation. Browsers start and end the first two themselves; the client only corrects them. */
export const ANIMATION_KINDS = ['css', 'transition', 'script'] as const;
export const PLAY_STATES = ['running', 'paused', 'finished'] as const;

/** One animation of an element. */
export interface AnimationState {
  /** Identifies the animation: the same animation keeps its number. */
  readonly key: number;
  readonly kind: (typeof ANIMATION_KINDS)[number];
  /** Name of the keyframes, or the property of a transition. */
  readonly name: string;
  /** Pseudo-element that is animated; empty for the element itself. */
  readonly pseudo: string;
  readonly state: (typeof PLAY_STATES)[number];
  /** Current time in ms; null when a scroll position drives the animation. */
  readonly time: number | null;
  readonly rate: number;
  /** Keyframes of transitions and of animations by script. */
  readonly frames?: readonly Keyframe[];
  readonly timing?: AnimationTiming;
  /** Timeline that replaces time: the position of a scroller, or of an element in it. */
  readonly scroll?: AnimationScroll;
}

/** One keyframe: properties by their script names, and the other keyframe fields of Web Animations. */
export type Keyframe = Readonly<Record<string, string | number | null>>;

/** Timing in ms, as in Web Animations; `iterations` is null for infinite ones. */
export interface AnimationTiming {
  readonly delay: number;
  readonly endDelay: number;
  readonly duration: number | 'auto';
  readonly iterations: number | null;
  readonly iterationStart: number;
  readonly direction: PlaybackDirection;
  readonly fill: FillMode;
  readonly easing: string;
  readonly composite: CompositeOperation;
}

/** A scroll or view timeline. */
export interface AnimationScroll {
  /** Id of the scroller, or of the element of a view timeline. */
  readonly node: number;
  readonly isView: boolean;
  readonly axis: 'block' | 'inline' | 'x' | 'y';
  readonly from: string;
  readonly to: string;
}
