import type { Kernel } from '../../../core/page.ts';
import { ANIMATION_KINDS, PLAY_STATES } from '../animations.ts';
import type { AnimationScroll, AnimationState, AnimationTiming, Keyframe } from '../animations.ts';

/** Parts of the platform that the compiler's types lack. */
interface ScrollLinked {
  readonly axis: AnimationScroll['axis'];
  readonly source?: Element | null;
  readonly subject?: Element | null;
}
interface Range {
  readonly rangeStart?: unknown;
  readonly rangeEnd?: unknown;
}

/** Keyframes and timing of an effect. */
export interface EffectParts {
  readonly frames: readonly Keyframe[];
  readonly timing: AnimationTiming;
}

/** Returns the effect of an animation when it is one on an element. */
export function effectOf({ effect }: Animation): KeyframeEffect | undefined {
  return effect instanceof KeyframeEffect && effect.target ? effect : undefined;
}

/** Returns the current state of an animation; undefined when it cannot be described. `known` caches the parts of transitions. */
export function stateOf(
  animation: Animation,
  effect: KeyframeEffect,
  key: number,
  kernel: Kernel,
  known: WeakMap<KeyframeEffect, EffectParts>,
): AnimationState | undefined {
  const [kind, name] = kindOf(animation);
  const { currentTime, playbackRate, playState } = animation;
  const state = PLAY_STATES.find((each) => each === playState);
  if (!state) return undefined;
  const time = typeof currentTime === 'number' ? currentTime : null;
  const plain = { key, kind, name, pseudo: effect.pseudoElement ?? '', state, time, rate: playbackRate };
  if (kind === 'css') return plain;
  const scroll = scrollOf(animation, kernel);
  const isTimed = animation.timeline instanceof DocumentTimeline || animation.timeline === null;
  if (!scroll && !isTimed) return undefined;
  const parts = known.get(effect) ?? { frames: framesOf(effect), timing: timingOf(effect) };
  if (kind === 'transition') known.set(effect, parts);
  return { ...plain, ...parts, ...(scroll && { scroll }) };
}

function kindOf(animation: Animation): [kind: AnimationState['kind'], name: string] {
  const [css, transition, script] = ANIMATION_KINDS;
  if (animation instanceof CSSAnimation) return [css, animation.animationName];
  return animation instanceof CSSTransition ? [transition, animation.transitionProperty] : [script, ''];
}

function framesOf(effect: KeyframeEffect): Keyframe[] {
  return effect.getKeyframes().map(({ computedOffset: _, ...frame }) => frame as Keyframe); // the platform's keyframes
}

function timingOf(effect: KeyframeEffect): AnimationTiming {
  const timing = effect.getTiming();
  const iterations = timing.iterations ?? 1;
  const { duration } = timing;
  return {
    delay: timing.delay ?? 0,
    endDelay: timing.endDelay ?? 0,
    duration: typeof duration === 'number' ? duration : 'auto',
    iterations: iterations === Infinity ? null : iterations,
    iterationStart: timing.iterationStart ?? 0,
    direction: timing.direction ?? 'normal',
    fill: timing.fill ?? 'none',
    easing: timing.easing ?? 'linear',
    composite: effect.composite,
  };
}

function scrollOf(animation: Animation, kernel: Kernel): AnimationScroll | undefined {
  const { timeline } = animation;
  if (timeline === null || timeline instanceof DocumentTimeline) return undefined;
  const { axis, source, subject } = timeline as unknown as ScrollLinked;
  const node = subject ?? source;
  const id = node ? kernel.idOf(node) : 0;
  if (id === 0) return undefined;
  const { rangeStart, rangeEnd } = animation as Range;
  return { node: id, isView: !!subject, axis, from: rangeText(rangeStart), to: rangeText(rangeEnd) };
}

function rangeText(range: unknown): string {
  if (typeof range !== 'object' || range === null) return 'normal';
  const { rangeName, offset } = range as { rangeName?: string; offset?: CSSNumericValue }; // the platform's type
  return `${rangeName ?? ''} ${offset?.toString() ?? ''}`.trim() || 'normal';
}
