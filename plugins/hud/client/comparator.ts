import type { ClientScope, Diagnostics } from '../../../core/index.ts';
import type { Switchable } from './index.ts';

/** Banners, bars, panels and notices, the shell's own too; what stands in place of a page remains. */
const HIDDEN = ".vitrine-slot:not([data-slot='overlay.page']),#vitrine-notice{display:none!important}";

/** Shows the page for picture comparison: without video, scrollbars, and what the shell shows beside and over it. */
export class Comparator implements Switchable {
  readonly #diagnostics: Diagnostics;
  readonly #sheet = new CSSStyleSheet();
  #isOn = false;

  constructor({ onDispose }: ClientScope, diagnostics: Diagnostics) {
    this.#diagnostics = diagnostics;
    this.#sheet.replaceSync(HIDDEN);
    onDispose(() => {
      if (this.#isOn) this.toggle();
    });
  }

  toggle(): void {
    this.#isOn = !this.#isOn;
    this.#diagnostics.setBare(this.#isOn);
    const others = document.adoptedStyleSheets.filter((sheet) => sheet !== this.#sheet);
    document.adoptedStyleSheets = this.#isOn ? [...others, this.#sheet] : others;
  }
}
