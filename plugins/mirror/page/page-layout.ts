import type { PageScope } from '../../../core/page.ts';
import type { Tracker } from './tracker.ts';

/**
 * Has the page's own world lay a document with objects or embeds out, before others of this world do. Chromium loads what they show at the
 * end of a layout, under the content security policy of the world whose script needed it: that of an extension's scripts forbids it
 * (`object-src 'self'`), and the page would get an error.
 */
export class PageLayout implements Tracker {
  readonly names = ['object', 'embed'];
  readonly #main: PageScope['main'];
  #isNeeded = false;

  constructor(main: PageScope['main']) {
    this.#main = main;
  }

  added(): void {
    this.#isNeeded = true;
  }

  reset(): void {
    this.#isNeeded = false;
  }

  collect(): void {
    if (this.#isNeeded) this.#main.send('lay-out', '');
  }
}
