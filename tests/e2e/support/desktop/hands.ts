import type { Page } from 'playwright/test';
import type { Desktop } from './desktop.ts';
import { chord, chordOf } from './keys.ts';

/** A point of the page, in CSS pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Time between the events of keys, in ms: of people who type fast. */
const PACE_MS = 15;

/** Keys and mouse of a desktop. Whatever one call does comes in one go. */
export class Hands {
  readonly #desktop: Desktop;
  /** Where the page begins on the screen. */
  readonly #origin: Point;

  private constructor(desktop: Desktop, origin: Point) {
    this.#desktop = desktop;
    this.#origin = origin;
  }

  /** The hands of somebody who looks at a page. Finds out where on the screen it is by moving the mouse over it. */
  static async over(desktop: Desktop, page: Page): Promise<Hands> {
    const { width, height } = await page.evaluate(() => ({ width: outerWidth, height: outerHeight }));
    const found = page.evaluate(
      () =>
        new Promise<Point>((resolve) => {
          document.addEventListener('mousemove', (event) =>
            resolve({ x: event.screenX - event.clientX, y: event.screenY - event.clientY }),
          );
        }),
    );
    let origin: Point | undefined;
    void found.then((point) => (origin = point));
    // The first moves may come before the page listens.
    for (let step = 0; origin === undefined; step += 1) {
      const at = [width / 2, height / 2].map((middle) => String(Math.round(middle) + (step % 20)));
      await desktop.run('xdotool', 'mousemove', ...at);
    }
    return new Hands(desktop, origin);
  }

  /** Types with the keys of an American keyboard, so many ms between the events of keys. */
  async type(text: string, paceMs = PACE_MS): Promise<void> {
    await this.#press(Array.from(text, chordOf), paceMs);
  }

  /** Presses keys one after the other: `Shift+ArrowLeft`. */
  async press(...chords: readonly string[]): Promise<void> {
    await this.#press(chords, PACE_MS);
  }

  async #press(chords: readonly string[], paceMs: number): Promise<void> {
    const pace = String(paceMs);
    const actions = chords
      .map(chord)
      .flatMap(({ held, key }) => [
        ...held.flatMap((each) => ['keydown', '--delay', pace, each]),
        ...['key', '--delay', pace, key],
        ...held.toReversed().flatMap((each) => ['keyup', '--delay', pace, each]),
      ]);
    await this.#desktop.run('xdotool', ...actions);
  }

  /** Clicks at a point of the page, as many times as given. */
  async click(point: Point, times = 1): Promise<void> {
    await this.#desktop.run('xdotool', ...this.#move(point), 'click', '--repeat', String(times), '--delay', '40', '1');
  }

  /** Presses the button at one point and lets it come up at another. */
  async drag(from: Point, to: Point): Promise<void> {
    const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
    const actions = [...this.#move(from), 'mousedown', '1', ...this.#move(middle), ...this.#move(to), 'mouseup', '1'];
    await this.#desktop.run('xdotool', ...actions);
  }

  /** Moves the mouse by a distance, in steps of at most 20 pixels, as a hand does. */
  async moveBy(x: number, y: number): Promise<void> {
    const steps = Math.ceil(Math.max(Math.abs(x), Math.abs(y)) / 20);
    const at = (step: number): Point => ({
      x: Math.round((x * step) / steps),
      y: Math.round((y * step) / steps),
    });
    const actions = Array.from({ length: steps }, (_none, step) => {
      const [from, to] = [at(step), at(step + 1)];
      return ['mousemove_relative', '--', String(to.x - from.x), String(to.y - from.y), 'sleep', '0.02'];
    });
    await this.#desktop.run('xdotool', ...actions.flat());
  }

  /** Clicks a button where the mouse is: 1 left, 2 middle, 3 right. */
  async clickHere(button: number): Promise<void> {
    await this.#desktop.run('xdotool', 'click', String(button));
  }

  /** The point of the page that is at a place of the screen. */
  pointOf(x: number, y: number): Point {
    return { x: x - this.#origin.x, y: y - this.#origin.y };
  }

  #move({ x, y }: Point): string[] {
    return ['mousemove', String(Math.round(x + this.#origin.x)), String(Math.round(y + this.#origin.y))];
  }
}
