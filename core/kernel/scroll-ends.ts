import { dom } from './dom.ts';

/** Time after a step of the person's scrolling after which it is over, in ms: Chromium waits as long after a turn of a wheel. */
const REST_MS = 150;

/** Something that is scrolled in steps. */
interface Followed {
  timer: ReturnType<typeof setTimeout>;
  /** Whether Chromium has said of a step that scrolling has ended. */
  hasEnded: boolean;
}

const { dispatchEvent } = EventTarget.prototype;

/** Makes one `scrollend` of the person's scrolling, which comes in steps: Chromium fires one for each. */
export class ScrollEnds {
  readonly #followed = new Map<Node, Followed>();

  constructor() {
    // Before the page's own listeners, which are added later.
    addEventListener(
      'scrollend',
      (event) => {
        const followed = event.isTrusted && dom.isNode(event.target) ? this.#followed.get(event.target) : undefined;
        if (!followed) return;
        followed.hasEnded = true;
        event.stopImmediatePropagation();
      },
      { capture: true },
    );
  }

  /** Called before each step. The document scrolls as its root does. */
  step(scroller: Node): void {
    const target = scroller === dom.scrollingElement(document) ? document : scroller;
    const { timer, hasEnded = false } = this.#followed.get(target) ?? {};
    clearTimeout(timer);
    this.#followed.set(target, { timer: setTimeout(() => this.#rest(target), REST_MS), hasEnded });
  }

  #rest(target: Node): void {
    const hasEnded = this.#followed.get(target)?.hasEnded ?? false;
    this.#followed.delete(target);
    if (hasEnded) dispatchEvent.call(target, new Event('scrollend', { bubbles: target === document }));
  }
}
