import { HTML_URI } from './dom.ts';

/** The window and document of one view frame, and its custom element names. */
export class Realm {
  readonly window: Window & typeof globalThis;
  readonly document: Document;
  /** Address of the document, without a fragment, and its type: read before the page's names can hide them. */
  readonly url: string;
  readonly type: string;
  readonly #defined = new Set<string>();

  constructor(window: Window & typeof globalThis) {
    this.window = window;
    this.document = window.document;
    this.url = this.document.URL.replace(/#.*/s, '');
    this.type = this.document.contentType;
  }

  /** Whether no custom element has been defined: definitions cannot be removed. */
  get isClean(): boolean {
    return this.#defined.size === 0;
  }

  /**
   * Defines a custom element without behaviour, so that `:defined` matches. `base` is the local name that a customized
   * built-in element extends; a control matches `:enabled` and `:valid`, too. Names that cannot be defined are ignored.
   */
  define(name: string, base?: string, isControl = false): void {
    if (this.#defined.has(name)) return;
    this.#defined.add(name);
    try {
      const { HTMLElement, customElements } = this.window;
      const parent =
        base === undefined
          ? HTMLElement
          : (Document.prototype.createElementNS.call(this.document, HTML_URI, base).constructor as typeof HTMLElement); // by its namespace
      const generic = class extends parent {
        static formAssociated = isControl;
      };
      customElements.define(name, generic, base === undefined ? undefined : { extends: base });
    } catch {
      // Reserved (`font-face`), or an invalid name.
    }
  }
}
