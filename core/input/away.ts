import type { Renderer } from '../contracts/renderer.ts';

/** Calls back when the focus is in no document of the view any more. Answers with the undo. */
export function watchFocus(renderer: Renderer, onAway: () => void): () => void {
  const { view } = renderer;
  const shell = view.ownerDocument;
  // From one document of the view to another the focus is nowhere for a moment.
  const look = (): unknown =>
    setTimeout(() => {
      if (!shell.hasFocus() || !view.contains(shell.activeElement)) onAway();
    });
  return renderer.documents(({ document: { defaultView } }) => {
    defaultView?.addEventListener('blur', look);
    return () => defaultView?.removeEventListener('blur', look);
  });
}
