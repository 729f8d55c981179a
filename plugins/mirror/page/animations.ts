import { dom } from '../../../core/page.ts';
import type { Kernel } from '../../../core/page.ts';
import type { AnimationState } from '../animations.ts';
import { DOCUMENT_ID, OP } from '../ops.ts';
import { effectOf, stateOf } from './animation-state.ts';
import type { EffectParts } from './animation-state.ts';
import type { Tracker } from './tracker.ts';
import type { Writer } from './writer.ts';

/** Maximum number of animations of a document that are reported. */
const MOST = 300;
/** Shortest time between two scans in ms, and its minimum ratio to the duration of a scan: the page needs the processor too. */
const REST_MS = 30;
const REST_RATIO = 10;
/** Drift of an SVG clock past which it is reported again, in seconds. */
const CLOCK_SLACK_S = 0.2;

const EVENTS = [
  'transitionrun',
  'transitioncancel',
  'transitionend',
  'animationstart',
  'animationcancel',
  'animationend',
];

interface Seen {
  readonly state: AnimationState;
  /** Compared with the last one; stays the same while there is nothing new to report. */
  readonly mark: string;
}

/**
 * Running animations and transitions, and their positions. A scan updates the style of the page, which the page could notice in its
 * transitions: it runs right after a frame has been drawn, and after polls. A change of the page requests one such frame, the result of
 * its scan is sent, and nothing more is requested before the next change.
 */
export class Animations implements Tracker {
  readonly names = ['animate', 'animateMotion', 'animateTransform', 'set'];
  readonly #kernel: Kernel;
  readonly #writer: Writer;
  /** Last sent state by element, in the form that is compared; then the animations with their keys. */
  #sent = new Map<Element, string>();
  #keys = new Map<Animation, number>();
  /** Time at which the clocks of outermost SVG elements were at zero, in seconds. */
  readonly #clocks = new Map<Element, number>();
  #count = 0;
  #isFresh = true;
  #isDue = true;
  #isAwaitingFrame = false;
  #restsUntil = 0;
  /** Cached parts of transitions. They stay as they started unless script changes them, so they are read again after polls. */
  #parts = new WeakMap<KeyframeEffect, EffectParts>();
  /** Whether there was a poll since they were read; it may have come during the pause. */
  #arePartsOld = false;

  constructor(kernel: Kernel, writer: Writer) {
    this.#kernel = kernel;
    this.#writer = writer;
    for (const type of EVENTS)
      kernel.listen(type, () => {
        this.#isDue = true;
        kernel.schedule();
      });
  }

  added(element: Element): void {
    let svg = element instanceof SVGElement ? element.ownerSVGElement : null;
    for (let outer = svg; outer; outer = outer.ownerSVGElement) svg = outer;
    if (svg) this.#clocks.set(svg, NaN);
  }

  reset(): void {
    this.#sent = new Map();
    this.#keys = new Map();
    this.#clocks.clear();
    this.#isFresh = this.#isDue = true;
  }

  collect(full: boolean): void {
    this.#arePartsOld ||= full;
    const begin = performance.now();
    const rests = begin < this.#restsUntil;
    if (rests || !(this.#isDue || (full && !this.#isAwaitingFrame))) {
      // The next poll sees all other changes made meanwhile.
      if (this.#isDue || !(rests || full)) this.#awaitFrame(this.#restsUntil - begin);
      return;
    }
    this.#isDue = false;
    if (this.#arePartsOld) this.#parts = new WeakMap();
    this.#arePartsOld = false;
    this.#look();
    const end = performance.now();
    this.#restsUntil = end + Math.max(REST_MS, (end - begin) * REST_RATIO);
  }

  #look(): void {
    const now = this.#now();
    for (const element of this.#sent.keys()) {
      if (now.has(element)) continue;
      this.#sent.delete(element);
      this.#write(element, []);
    }
    for (const [element, seen] of now) this.#compare(element, seen);
    // A document that is still loading has no ended animations.
    if (this.#isFresh && dom.readyState(document) !== 'loading')
      this.#writer.op([OP.animate, DOCUMENT_ID, '{"list":[]}']);
    this.#isFresh = false;
  }

  /** Changes may have started animations: scans once they have been drawn and the pause is over. */
  #awaitFrame(restMs: number): void {
    if (this.#isAwaitingFrame) return;
    this.#isAwaitingFrame = true;
    const look = (): void => {
      this.#isAwaitingFrame = false;
      this.#isDue = true;
      this.#kernel.schedule();
    };
    setTimeout(() => requestAnimationFrame(() => setTimeout(look)), Math.max(0, restMs));
  }

  #now(): Map<Element, Seen[]> {
    const keys = new Map<Animation, number>();
    const now = new Map<Element, Seen[]>();
    for (const svg of this.#clocks.keys()) {
      if (this.#kernel.idOf(svg) === 0) this.#clocks.delete(svg);
      else now.set(svg, []);
    }
    for (const root of this.#kernel.roots()) {
      for (const animation of dom.animations(root)) {
        const effect = effectOf(animation);
        const target = effect?.target;
        if (!target || this.#kernel.idOf(target) === 0 || keys.size >= MOST) continue;
        const key = this.#keys.get(animation) ?? ++this.#count;
        keys.set(animation, key);
        const state = stateOf(animation, effect, key, this.#kernel, this.#parts);
        if (!state) continue;
        // A running animation is in the right place as long as its start time is the same; a paused one, as long as its time is.
        const mark = state.state === 'running' ? String(animation.startTime) : String(state.time);
        const seen = now.get(target);
        if (seen) seen.push({ state, mark });
        else now.set(target, [{ state, mark }]);
      }
    }
    this.#keys = keys;
    return now;
  }

  #compare(element: Element, seen: readonly Seen[]): void {
    const clock = this.#clockOf(element);
    const text = JSON.stringify([
      seen.map(({ state, mark }) => ({ ...state, time: mark })),
      this.#clocks.get(element),
      clock?.[1],
    ]);
    if (text === this.#sent.get(element)) return;
    this.#sent.set(element, text);
    this.#write(
      element,
      seen.map(({ state }) => state),
      clock,
    );
  }

  #clockOf(element: Element): [seconds: number, paused: boolean] | undefined {
    const known = this.#clocks.get(element);
    if (known === undefined) return undefined;
    const svg = element as SVGSVGElement; // the only elements with clocks
    const [time, paused] = [svg.getCurrentTime(), svg.animationsPaused()];
    const zero = paused ? -time : performance.now() / 1000 - time;
    if (!(Math.abs(zero - known) <= (paused ? 0 : CLOCK_SLACK_S))) this.#clocks.set(element, zero);
    return [time, paused];
  }

  #write(element: Element, list: readonly AnimationState[], clock?: readonly [number, boolean]): void {
    const id = this.#kernel.idOf(element);
    if (id !== 0) this.#writer.op([OP.animate, id, JSON.stringify({ list, clock })]);
  }
}
