import type { AnimationsState, AnimationState, Keyframe } from '../animations.ts';
import { DOCUMENT_ID } from '../ops.ts';
import { asElement } from './dom.ts';
import type { Realm } from './realm.ts';
import type { Tree } from './tree.ts';

/** Tolerated difference between the times of a running animation here and in the surrogate, in ms: a jump would be more visible. */
const SLACK_MS = 80;
const SLACK_S = 0.2;

/** Matches addresses that the host has not issued. */
const FOREIGN = /(?:^|[^\w-])(?:src\(|url\(\s*(?!["']?(?:\/c\/|data:image\/|#|about:invalid)))/i;

interface ScrollTimelines {
  readonly ScrollTimeline?: new (options: object) => AnimationTimeline;
  readonly ViewTimeline?: new (options: object) => AnimationTimeline;
}

/** Last state received for an element, and the animations created for those that the browser does not run itself. */
interface Known {
  list: readonly AnimationState[];
  readonly made: Map<number, Animation>;
}

/** Synchronizes the animations of one document with those of the surrogate; see {@link AnimationsState}. */
export class Animations {
  readonly #realm: Realm;
  readonly #tree: Tree;
  readonly #known = new WeakMap<Element, Known>();

  constructor(realm: Realm, tree: Tree) {
    this.#realm = realm;
    this.#tree = tree;
  }

  /** Applies the text of an `animate` op. @throws SyntaxError when it is not JSON. */
  apply(id: number, text: string): void {
    const { list, clock } = JSON.parse(text) as AnimationsState; // the host has checked it
    if (id === DOCUMENT_ID) return this.#endOthers();
    const element = this.#tree.element(id);
    if (!element) return;
    if (clock && element instanceof this.#realm.window.SVGSVGElement) setClock(element, clock);
    this.#set(element, list);
  }

  /** Ends animations that the browser has started itself and the surrogate does not run: they have ended there. */
  #endOthers(): void {
    for (const animation of Document.prototype.getAnimations.call(this.#realm.document)) {
      const target = asElement((animation.effect as KeyframeEffect | null)?.target); // no others in a document
      if (!target || !this.#known.get(target)?.list.length) end(animation);
    }
  }

  #set(element: Element, list: readonly AnimationState[]): void {
    const known = this.#known.get(element) ?? { list: [], made: new Map<number, Animation>() };
    this.#known.set(element, known);
    const natives = this.#nativesOf(element, [...known.list, ...list]);
    const keys = new Set(list.map(({ key }) => key));
    for (const state of known.list) {
      if (keys.has(state.key)) continue;
      known.made.get(state.key)?.cancel();
      known.made.delete(state.key);
    }
    const pending = new Map(natives);
    for (const state of list) {
      const native = take(pending, state);
      if (native && state.frames) (native.effect as KeyframeEffect).setKeyframes(safeFrames(state.frames)); // created by CSS
      const animation = native ?? (state.kind === 'css' ? undefined : this.#made(element, known, state));
      if (animation) set(animation, state);
    }
    // Others may have started under the person's own pointer: only animations that have ended in the surrogate end here.
    for (const [native, name] of pending)
      if (known.list.some((state) => !keys.has(state.key) && nameOf(state) === name)) end(native);
    known.list = list;
  }

  /** Returns the animations and transitions that style sheets have started, with their names. */
  #nativesOf(element: Element, states: readonly AnimationState[]): Map<Animation, string> {
    const { CSSAnimation, CSSTransition } = this.#realm.window;
    const subtree = states.some(({ pseudo }) => pseudo !== '');
    const natives = new Map<Animation, string>();
    for (const animation of Element.prototype.getAnimations.call(element, { subtree })) {
      const effect = animation.effect as KeyframeEffect; // no others on elements
      if (effect.target !== element) continue;
      const pseudo = effect.pseudoElement ?? '';
      if (animation instanceof CSSAnimation)
        natives.set(animation, nameOf({ kind: 'css', name: animation.animationName, pseudo }));
      else if (animation instanceof CSSTransition)
        natives.set(animation, nameOf({ kind: 'transition', name: animation.transitionProperty, pseudo }));
    }
    return natives;
  }

  #made(element: Element, { made }: Known, { key, pseudo, frames, timing, scroll }: AnimationState): Animation {
    const { iterations = 1, ...rest } = timing ?? {};
    const options = { ...rest, iterations: iterations ?? Infinity, pseudoElement: pseudo || null };
    const keyframes = safeFrames(frames ?? []);
    const known = made.get(key);
    if (known) {
      const effect = known.effect as KeyframeEffect; // created below
      effect.setKeyframes(keyframes);
      effect.updateTiming({ ...rest, iterations: options.iterations });
      return known;
    }
    const timeline = scroll && this.#timelineOf(scroll);
    const range = scroll && { rangeStart: scroll.from, rangeEnd: scroll.to };
    const animation = Element.prototype.animate.call(element, keyframes, {
      ...options,
      ...(timeline && { timeline, ...range }),
    });
    animation.persist();
    made.set(key, animation);
    return animation;
  }

  #timelineOf({ node, isView, axis }: NonNullable<AnimationState['scroll']>): AnimationTimeline | undefined {
    const { ScrollTimeline, ViewTimeline } = this.#realm.window as ScrollTimelines; // not in every browser
    const element = this.#tree.element(node);
    return isView
      ? ViewTimeline && new ViewTimeline({ subject: element, axis })
      : ScrollTimeline && new ScrollTimeline({ source: element, axis });
  }
}

/** Returns a text that identifies an animation of an element, except among several of the same name. */
function nameOf({ kind, name, pseudo }: Pick<AnimationState, 'kind' | 'name' | 'pseudo'>): string {
  return `${kind} ${pseudo} ${name}`;
}

/** Removes and returns the first remaining animation that matches a state: both sides have them in the same order. */
function take(natives: Map<Animation, string>, state: AnimationState): Animation | undefined {
  const name = nameOf(state);
  for (const [animation, other] of natives) {
    if (other !== name) continue;
    natives.delete(animation);
    return animation;
  }
  return undefined;
}

function set(animation: Animation, { state, time, rate }: AnimationState): void {
  if (animation.playbackRate !== rate) animation.playbackRate = rate;
  if (state === 'paused') {
    if (animation.playState !== 'paused') animation.pause();
  } else if (state === 'running' && animation.playState !== 'running') animation.play();
  const { currentTime } = animation;
  if (time === null || (currentTime !== null && typeof currentTime !== 'number')) return;
  const slack = state === 'running' ? SLACK_MS : 0;
  if (currentTime === null || Math.abs(currentTime - time) > slack) animation.currentTime = time;
}

function end(animation: Animation): void {
  try {
    animation.finish();
  } catch {
    animation.cancel(); // it would never end
  }
}

function setClock(svg: SVGSVGElement, [seconds, paused]: readonly [number, boolean]): void {
  if (paused) svg.pauseAnimations();
  else svg.unpauseAnimations();
  if (Math.abs(svg.getCurrentTime() - seconds) > (paused ? 0 : SLACK_S)) svg.setCurrentTime(seconds);
}

function safeFrames(frames: readonly Keyframe[]): globalThis.Keyframe[] {
  return frames.map(
    (frame) =>
      Object.fromEntries(
        Object.entries(frame).filter(([, value]) => typeof value !== 'string' || !FOREIGN.test(value)),
      ) as globalThis.Keyframe,
  );
}
