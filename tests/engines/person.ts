import { setTimeout as delay } from 'node:timers/promises';
import type { Action } from '../fidelity/corpus.ts';
import type { Engine, PointerAction } from './engine.ts';

/** Steps of a drag between press and release. */
const DRAG_STEPS = 8;
const POLL_MS = 100;
const WAIT_MS = 30_000;
/** One turn of the wheel in CSS px, and the wait for its effect before the next. */
const TURN_PX = 120;
const TURN_MS = 1_500;

/** Keys without a character, as WebDriver writes them. */
const KEYS: Readonly<Record<string, string>> = {
  Backspace: '\uE003',
  Tab: '\uE004',
  Enter: '\uE006',
  Escape: '\uE00C',
  End: '\uE010',
  ArrowLeft: '\uE012',
};

const CTRL = '\uE009';

/** The frames of the shell that a person sees. */
export const FRAMES = {
  page: 'iframe[data-vitrine-frame="main"]',
  dialogs: '#vitrine-page-frame',
} as const;
type Frame = keyof typeof FRAMES;

/** The person at a browser: looks, clicks and types. */
export class Person {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  move(x: number, y: number): Promise<void> {
    return this.#mouse({ type: 'pointerMove', x, y });
  }

  click(x: number, y: number): Promise<void> {
    return this.#mouse(
      { type: 'pointerMove', x, y },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    );
  }

  drag(from: readonly [number, number], to: readonly [number, number]): Promise<void> {
    const at = (step: number): PointerAction => ({
      type: 'pointerMove',
      x: Math.round(from[0] + ((to[0] - from[0]) * step) / DRAG_STEPS),
      y: Math.round(from[1] + ((to[1] - from[1]) * step) / DRAG_STEPS),
    });
    return this.#mouse(
      at(0),
      { type: 'pointerDown', button: 0 },
      ...Array.from({ length: DRAG_STEPS }, (_, step) => at(step + 1)),
      { type: 'pointerUp', button: 0 },
    );
  }

  /**
   * Turns the wheel down at a point until the text of an element of the page contains the expected text: a browser
   * ignores wheel events before it has drawn the page.
   */
  async turn(x: number, y: number, selector: string, expected: string): Promise<void> {
    await this.#poll(
      async () => {
        await this.#engine.perform([
          { type: 'wheel', id: 'wheel', actions: [{ type: 'scroll', x, y, deltaX: 0, deltaY: TURN_PX }] },
        ]);
        await delay(TURN_MS);
        const shown = await this.#engine.evaluate(textOf, [FRAMES.page, selector] as const);
        return shown?.includes(expected) ? true : undefined;
      },
      () => `${selector} does not come to show ${JSON.stringify(expected)} by the wheel`,
    );
  }

  /** Presses and releases keys: characters, or a named key. */
  async press(...keys: readonly string[]): Promise<void> {
    const actions = keys
      .map((key) => KEYS[key] ?? key)
      .flatMap((value) => [{ type: 'keyDown', value } as const, { type: 'keyUp', value } as const]);
    await this.#engine.perform([{ type: 'key', id: 'keyboard', actions }]);
  }

  /** Presses letters one after the other while Ctrl is held. */
  async shortcut(...letters: readonly string[]): Promise<void> {
    const actions = letters.flatMap((value) => [
      { type: 'keyDown', value } as const,
      { type: 'keyUp', value } as const,
    ]);
    const held = [{ type: 'keyDown', value: CTRL } as const, ...actions, { type: 'keyUp', value: CTRL } as const];
    await this.#engine.perform([{ type: 'key', id: 'keyboard', actions: held }]);
  }

  /** Types a text. */
  type(text: string): Promise<void> {
    return this.press(...text.split(/(?:)/u));
  }

  /** Performs the actions of a page of a corpus. */
  async act(actions: readonly Action[]): Promise<void> {
    for (const action of actions) {
      if (action[0] === 'move') await this.move(action[1], action[2]);
      else if (action[0] === 'click') await this.click(action[1], action[2]);
      else if (action[0] === 'press') await this.press(action[1]);
      else if (action[0] === 'drag') await this.drag([action[1], action[2]], [action[3], action[4]]);
      else await delay(action[1]);
    }
  }

  /** Clicks the middle of an element of a frame of the shell, once it exists. */
  async clickOn(frame: Frame, selector: string): Promise<void> {
    const point = await this.until(`${selector} is there`, middleOf, [FRAMES[frame], selector] as const);
    await this.click(point.x, point.y);
  }

  /**
   * Waits until the text of an element of a frame of the shell, or the value of a field, contains the expected text.
   */
  async sees(frame: Frame, selector: string, expected: string): Promise<void> {
    let shown: string | undefined;
    await this.#poll(
      async () => {
        shown = await this.#engine.evaluate(textOf, [FRAMES[frame], selector] as const);
        return shown?.includes(expected) ? true : undefined;
      },
      () => `${selector} shows ${JSON.stringify(shown)}, not ${JSON.stringify(expected)}`,
    );
  }

  /** Values of the checked boxes of a frame of the shell. */
  checked(frame: Frame, selector: string): Promise<boolean[]> {
    return this.#engine.evaluate(checkedOf, [FRAMES[frame], selector] as const);
  }

  /**
   * Waits until a function in the shell returns anything but null, undefined and false. On timeout throws naming
   * `what`.
   */
  until<T, A>(what: string, body: (argument: A) => T | null | undefined | false, argument: A): Promise<T> {
    return this.#poll(
      async () => (await this.#engine.evaluate(body, argument)) || undefined,
      () => `It does not come to pass that ${what}.`,
    );
  }

  async #poll<T>(look: () => Promise<T | undefined>, fault: () => string): Promise<T> {
    const end = performance.now() + WAIT_MS;
    for (;;) {
      const found = await look();
      if (found !== undefined) return found;
      if (performance.now() > end) throw new Error(fault());
      await delay(POLL_MS);
    }
  }

  #mouse(...actions: readonly PointerAction[]): Promise<void> {
    return this.#engine.perform([{ type: 'pointer', id: 'mouse', actions }]);
  }
}

/** Runs in the shell. */
function middleOf([frame, selector]: readonly [string, string]): { x: number; y: number } | undefined {
  const owner = document.querySelector<HTMLIFrameElement>(frame);
  const element = owner?.contentDocument?.querySelector(selector);
  const box = element?.getBoundingClientRect();
  if (!owner || !box || box.width === 0) return undefined;
  const origin = owner.getBoundingClientRect();
  return { x: Math.round(origin.x + box.x + box.width / 2), y: Math.round(origin.y + box.y + box.height / 2) };
}

/** Runs in the shell. */
function textOf([frame, selector]: readonly [string, string]): string | undefined {
  const element = document
    .querySelector<HTMLIFrameElement>(frame)
    ?.contentDocument?.querySelector<HTMLInputElement | HTMLElement>(selector);
  return element && 'value' in element && element.localName === 'input' ? element.value : element?.textContent;
}

/** Runs in the shell. */
function checkedOf([frame, selector]: readonly [string, string]): boolean[] {
  const { contentDocument } = document.querySelector<HTMLIFrameElement>(frame) ?? {};
  return [...(contentDocument?.querySelectorAll<HTMLInputElement>(selector) ?? [])].map(({ checked }) => checked);
}
