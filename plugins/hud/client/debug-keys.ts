import type { Renderer } from '../../../core/index.ts';

const KEYS = ['keydown', 'keyup'];

/** The window of a document of the view. */
export function windowOf(document: Document): Window | null {
  return Reflect.get(Document.prototype, 'defaultView', document); // the interface's own getter
}

/**
 * Listens for Ctrl+Shift with one of these letters, in the shell and in every document of the view. The page and the browser do not receive
 * them. Returns a function that removes the listeners.
 */
export function onDebugKeys(
  renderer: Renderer,
  letters: readonly string[],
  press: (letter: string) => void,
): () => void {
  const onKey = (event: KeyboardEvent): void => {
    const letter = event.key.toLowerCase();
    if (!event.ctrlKey || !event.shiftKey || event.altKey || event.metaKey || !letters.includes(letter)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (event.type === 'keydown' && !event.repeat) press(letter);
  };
  // On the window, which comes before the document, where input forwarding listens.
  const listen = (target: Window): (() => void) => {
    // Through the prototype: names in a page hide members of its window and document.
    const { addEventListener, removeEventListener } = EventTarget.prototype;
    for (const type of KEYS) addEventListener.call(target, type, onKey as EventListener, true); // for key events
    return () => {
      for (const type of KEYS) removeEventListener.call(target, type, onKey as EventListener, true); // as above
    };
  };
  const undo = [
    listen(window),
    renderer.documents(({ document }) => {
      const view = windowOf(document);
      return view ? listen(view) : () => undefined;
    }),
  ];
  return () => {
    for (const each of undo) each();
  };
}
