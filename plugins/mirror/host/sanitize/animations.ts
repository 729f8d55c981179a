import * as v from 'valibot';
import { ANIMATION_KINDS, PLAY_STATES } from '../../animations.ts';
import type { AnimationsState, AnimationState, Keyframe } from '../../animations.ts';
import { MAX_NODE_ID } from '../../ops.ts';
import type { AddressContext } from './addresses.ts';
import { sanitizeFragment } from './css.ts';
import { ANIMATION_POLICY, BLOCKED_PROPERTIES } from './css-policy.ts';

const { maxAnimations, maxFrames, property: PROPERTY, pseudo: PSEUDO } = ANIMATION_POLICY;

const number = v.pipe(v.number(), v.finite());
const name = v.pipe(v.string(), v.maxLength(1000));
const frame = v.record(v.string(), v.union([v.string(), number, v.null()]));
const timing = v.object({
  delay: number,
  endDelay: number,
  duration: v.union([number, v.literal('auto')]),
  iterations: v.nullable(number),
  iterationStart: number,
  direction: v.picklist(['normal', 'reverse', 'alternate', 'alternate-reverse']),
  fill: v.picklist(['none', 'forwards', 'backwards', 'both', 'auto']),
  easing: name,
  composite: v.picklist(['replace', 'add', 'accumulate']),
});
const animation = v.object({
  key: v.pipe(v.number(), v.safeInteger()),
  kind: v.picklist(ANIMATION_KINDS),
  name,
  pseudo: v.pipe(v.string(), v.regex(PSEUDO)),
  state: v.picklist(PLAY_STATES),
  time: v.nullable(number),
  rate: number,
  frames: v.exactOptional(v.pipe(v.array(frame), v.maxLength(maxFrames))),
  timing: v.exactOptional(timing),
  scroll: v.exactOptional(
    v.object({
      node: v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(MAX_NODE_ID)),
      isView: v.boolean(),
      axis: v.picklist(['block', 'inline', 'x', 'y']),
      from: name,
      to: name,
    }),
  ),
});
const state = v.object({
  list: v.pipe(v.array(animation), v.maxLength(maxAnimations)),
  clock: v.exactOptional(v.tuple([number, v.boolean()])),
});

/**
 * Returns the sanitized JSON of an `animate` op: known fields of animations only, with every text sanitized as a CSS value.
 * Invalid animations are dropped.
 */
export function safeAnimations(json: string, context: AddressContext): string {
  const parsed = v.safeParse(state, fromJson(json));
  const { list, clock }: AnimationsState = parsed.success ? parsed.output : { list: [] };
  return JSON.stringify({ list: list.map((one) => safeAnimation(one, context)), clock });
}

function safeAnimation(one: AnimationState, context: AddressContext): AnimationState {
  const safe = (text: string): string => sanitizeFragment(text, context);
  const { frames, timing, scroll } = one;
  return {
    ...one,
    name: safe(one.name),
    ...(frames && { frames: frames.map((each) => safeFrame(each, safe)) }),
    ...(timing && { timing: { ...timing, easing: safe(timing.easing) } }),
    ...(scroll && { scroll: { ...scroll, from: safe(scroll.from), to: safe(scroll.to) } }),
  };
}

function safeFrame(frame: Keyframe, safe: (text: string) => string): Keyframe {
  return Object.fromEntries(
    Object.entries(frame)
      .filter(([key]) => PROPERTY.test(key) && !BLOCKED_PROPERTIES.has(hyphenated(key)))
      .map(([key, value]) => [key, typeof value === 'string' ? safe(value) : value]),
  );
}

/** Returns a property's name in style sheets. */
function hyphenated(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function fromJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
