import type { PageScope } from '../../../core/page.ts';
import type { Tracker } from './tracker.ts';

/**
 * Has the page's own world lay the document out once an object or embed is new or has changed, before this world reads styles or places.
 * Chromium loads what they show with their first layout, under the content security policy of the world whose script needed it: that of an
 * extension's scripts forbids it (`object-src 'self'`), and the page would get an error. At other times nothing is laid out: the page could
 * notice it in its transitions.
 */
export class PageLayout implements Tracker {
  readonly names = ['object', 'embed'];
  readonly #main: PageScope['main'];
  #isDue = false;

  constructor(main: PageScope['main']) {
    this.#main = main;
  }

  added(): void {
    this.#isDue = true;
  }

  changed(): void {
    this.#isDue = true;
  }

  reset(): void {
    this.#isDue = false;
  }

  collect(): void {
    if (this.#isDue) this.#main.send('lay-out', '');
    this.#isDue = false;
  }
}
