import { isFrame } from './allowlist.ts';
import { activeIn, HTML_URI, isHtml, namespaceOf } from './dom.ts';
import type { Held } from './controls.ts';
import { Echo } from './echo.ts';
import type { Gestures } from './gestures.ts';
import type { Realm } from './realm.ts';

/** The ends of a selection. */
interface Range {
  readonly anchor: Node;
  readonly anchorOffset: number;
  readonly focus: Node;
  readonly focusOffset: number;
}

const sameRange = (a: Range | undefined, b: Range | undefined): boolean =>
  a === b ||
  (!!a &&
    !!b &&
    a.anchor === b.anchor &&
    a.anchorOffset === b.anchorOffset &&
    a.focus === b.focus &&
    a.focusOffset === b.focusOffset);

/** The ends of a selection within a text control. */
type Caret = readonly [start: number, end: number];

/** The page's own state, as the surrogate has sent it last. */
interface PageFocus {
  element?: Element | undefined;
  range?: Range | undefined;
  /** The selection in a control. */
  caret?: readonly [control: Element, start: number, end: number];
}

/** Focus, text selection and caret of one document. The surrogate's state wins, except against the person's last actions here. */
export class Focus {
  readonly #realm: Realm;
  readonly #focusEcho = new Echo<Document, Element | undefined>((a, b) => a === b);
  readonly #selectionEcho = new Echo<Document, Range | undefined>(sameRange);
  readonly #caretEcho = new Echo<Element, Caret>((a, b) => a[0] === b[0] && a[1] === b[1]);
  #placed: Range | undefined;
  /** If the surrogate sends the same again, a press has changed nothing in the page, whatever it did here. */
  readonly page: PageFocus = {};
  readonly #held: Held;
  /** Whether the page prevents the current press from selecting. */
  #selectsNothing = false;
  #isPlacing = false;
  /** Moves the focus to where the page has it: once the view has it, and again when it is given back, as what covers the view takes it from elements. */
  #place: (() => void) | undefined;

  constructor(realm: Realm, gestures: Gestures, signal: AbortSignal, held: Held) {
    this.#realm = realm;
    this.#held = held;
    const { document, window } = realm;
    const on = <K extends keyof DocumentEventMap>(type: K, listener: (event: DocumentEventMap[K]) => void): void =>
      document.addEventListener(type, listener, { capture: true, passive: true, signal });
    on('focusin', (event) => {
      if (!this.#isPlacing && gestures.caused(event))
        this.#focusEcho.local(document, event.composedPath()[0] as Element); // focus events target elements
    });
    on('selectionchange', (event) => {
      const range = this.#current();
      if (!gestures.caused(event) || sameRange(range, this.#placed)) return;
      if (gestures.isHeld && this.#selectsNothing) this.#select(this.page.range);
      else this.#selectionEcho.local(document, range);
    });
    on('pointerdown', () => {
      this.#selectsNothing = false;
    });
    // A press may select all of a field here at once; the person may copy it before the surrogate has reported either.
    on('select', (event) => {
      const field = event.target as HTMLInputElement; // a text area has the same members
      const { length } = field.value;
      const [control, start, end] = this.page.caret ?? [];
      // Selecting what the page has selected is such an event, too.
      const isOurs = control === field && start === 0 && end === length;
      if (!isOurs && gestures.caused(event) && field.selectionStart === 0 && field.selectionEnd === length)
        this.#caretEcho.local(field, [0, length]);
    });
    on('keydown', ({ ctrlKey, metaKey }) => {
      // Text that is copied must stay selected until then.
      if (!ctrlKey && !metaKey) this.#caretEcho.settle();
    });
    window.addEventListener('focus', () => this.#place?.(), { signal });
    signal.addEventListener('abort', () => {
      this.#focusEcho.dispose();
      this.#selectionEcho.dispose();
      this.#caretEcho.dispose();
    });
  }

  /** Focuses an element, or removes the focus. A control that the person uses outside the page keeps it. */
  focus(element: Element | undefined, isVisible: boolean): void {
    if (element === this.page.element) this.#focusEcho.refuse(this.#realm.document);
    this.page.element = element;
    const place = (this.#place = () => this.#apply(element, isVisible));
    this.#focusEcho.remote(this.#realm.document, element, () => {
      if (isViewFocused()) place();
    });
    // A press focuses it here without a ring, which the page may show: script has focused it, or the keyboard was used before.
    const { document } = this.#realm;
    const isPressed = element && activeIn(document) === element && Document.prototype.hasFocus.call(document);
    if (isPressed && isVisible && !element.matches(':focus-visible')) {
      focusable(element).blur.call(element);
      place();
    }
  }

  /** Takes the selection that the document, or a text control, has now for none of the person's: the page's next one is shown in any case. */
  placed(control?: Element): void {
    if (control) this.#caretEcho.refuse(control);
    this.#placed = this.#current();
  }

  /** Selects text; without an anchor nothing is selected. */
  select(anchor: Node | undefined, anchorOffset: number, focus: Node | undefined, focusOffset: number): void {
    const { document } = this.#realm;
    const range = anchor && focus ? { anchor, anchorOffset, focus, focusOffset } : undefined;
    this.#selectsNothing = sameRange(range, this.page.range);
    if (this.#selectsNothing) this.#selectionEcho.refuse(document);
    this.page.range = range;
    // It may be applied later, when a composition that it would end has begun.
    this.#selectionEcho.remote(document, range, () => {
      if (!this.#held.node) this.#select(range);
    });
  }

  /** Selects within a text control, in UTF-16 units. */
  caret(control: Element, start: number, end: number): void {
    if (!isHtml(control, 'input', 'textarea')) return;
    this.page.caret = [control, start, end];
    this.#caretEcho.remote(control, [start, end], () => {
      const field = control as HTMLInputElement; // a text area has the same members
      if (this.#held.node === field) return;
      if (field.selectionStart !== start || field.selectionEnd !== end) field.setSelectionRange(start, end);
      this.placed();
    });
  }

  /** Shows the selection that the page has. */
  show(): void {
    this.#select(this.page.range);
  }

  #select(range: Range | undefined): void {
    const { document } = this.#realm;
    const active = activeIn(document);
    // The document's selection does not show the one in a text control: the caret op carries that.
    if (isHtml(active, 'input', 'textarea') || sameRange(range, this.#current())) return;
    const selection = Document.prototype.getSelection.call(document);
    this.#isPlacing = true; // browsers move the focus to an editing host of which something is selected: the person has not
    try {
      if (range) selection?.setBaseAndExtent(range.anchor, range.anchorOffset, range.focus, range.focusOffset);
      else selection?.removeAllRanges();
    } catch {
      return; // the selected nodes have changed meanwhile
    } finally {
      this.#isPlacing = false;
    }
    if (activeIn(document) === active) this.placed();
    else this.#apply(active, false);
  }

  #apply(element: Element | null | undefined, isVisible: boolean): void {
    const active = activeIn(this.#realm.document);
    this.#isPlacing = true;
    if (element && element === active && isFrame(element)) {
      // The element with the focus in this document would lose it.
    } else if (element) {
      // Not `false`, which would hide the ring from the next key on, too: after a press browsers show none by themselves.
      const { focus, blur } = focusable(element);
      // A listener makes an SVG element focusable in Chromium: the page has one.
      element.addEventListener('focus', isViewFocused);
      focus.call(element, { preventScroll: true, ...(isVisible && { focusVisible: true }) });
      if (!isVisible && element.matches(':focus-visible')) {
        blur.call(element);
        focus.call(element, { preventScroll: true, focusVisible: false });
      }
    } else if (active) focusable(active).blur.call(active);
    this.#isPlacing = false;
    this.placed();
  }

  #current(): Range | undefined {
    const selection = Document.prototype.getSelection.call(this.#realm.document);
    const { anchorNode: anchor, anchorOffset = 0, focusNode: focus, focusOffset = 0 } = selection ?? {};
    return anchor && focus ? { anchor, anchorOffset, focus, focusOffset } : undefined;
  }
}

/** Returns the element with the methods of either interface that has them. */
function focusable(element: Element): HTMLOrSVGElement {
  if (namespaceOf(element) === HTML_URI) return HTMLElement.prototype;
  return 'ownerSVGElement' in element ? SVGElement.prototype : MathMLElement.prototype;
}

/** Whether no element of the shell outside the view has the focus. */
function isViewFocused(): boolean {
  const active = document.activeElement;
  return !active || active === document.body || active.closest('#vitrine-view') !== null;
}
