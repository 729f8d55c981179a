/** What an `animate` op says of an element, as JSON; of the document: `{list: []}`, whatever else runs there is over. */
export interface AnimationsState {
  readonly list: readonly AnimationState[];
  /** The clock of an outermost `svg` element with animations of its own: seconds, and whether it stands. */
  readonly clock?: readonly [seconds: number, paused: boolean];
}

/** Kinds of animation. Browsers start and end the first two on their own; they are only put right. */
export const ANIMATION_KINDS = ['css', 'transition', 'script'] as const;
export const PLAY_STATES = ['running', 'paused', 'finished'] as const;

/** One animation of an element. */
export interface AnimationState {
  /** The same animation, the same number. */
  readonly key: number;
  readonly kind: (typeof ANIMATION_KINDS)[number];
  /** Name of the keyframes, or the property of a transition. */
  readonly name: string;
  /** The pseudo-element that it moves; empty for the element itself. */
  readonly pseudo: string;
  readonly state: (typeof PLAY_STATES)[number];
  /** Its current time in ms; null when the position of a scroller tells it. */
  readonly time: number | null;
  readonly rate: number;
  /** Of transitions and animations by script. */
  readonly frames?: readonly Keyframe[];
  readonly timing?: AnimationTiming;
  /** What takes the place of time: how far a scroller is, or where in it an element is. */
  readonly scroll?: AnimationScroll;
}

/** One keyframe: properties by their names in script, and what Web Animations call them beside. */
export type Keyframe = Readonly<Record<string, string | number | null>>;

/** Milliseconds, and as Web Animations have it; iterations null: for ever. */
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
  /** Id of the scroller, or of the element whose view it is. */
  readonly node: number;
  readonly isView: boolean;
  readonly axis: 'block' | 'inline' | 'x' | 'y';
  readonly from: string;
  readonly to: string;
}
