import type { Kernel } from '../../../core/page.ts';
import { ANIMATION_KINDS, PLAY_STATES } from '../animations.ts';
import type { AnimationScroll, AnimationState, AnimationTiming, Keyframe } from '../animations.ts';

/** Parts of the platform that the compiler does not know yet. */
interface ScrollLinked {
  readonly axis: AnimationScroll['axis'];
  readonly source?: Element | null;
  readonly subject?: Element | null;
}
interface Range {
  readonly rangeStart?: unknown;
  readonly rangeEnd?: unknown;
}

/** What an effect does, and when. */
export interface EffectParts {
  readonly frames: readonly Keyframe[];
  readonly timing: AnimationTiming;
}

/** The effect of an animation, where it is one on an element. */
export function effectOf({ effect }: Animation): KeyframeEffect | undefined {
  return effect instanceof KeyframeEffect && effect.target ? effect : undefined;
}

/** What an animation is like now; undefined when it cannot be said. `known`: what transitions have been read to be made of. */
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
  return effect.getKeyframes().map(({ computedOffset: _, ...frame }) => frame as Keyframe); // as the platform makes them
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
  const { rangeName, offset } = range as { rangeName?: string; offset?: CSSNumericValue }; // as the platform has it
  return `${rangeName ?? ''} ${offset?.toString() ?? ''}`.trim() || 'normal';
}
