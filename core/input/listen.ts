/** Adds a listener in the capture phase, before anything of the view; answers with its undo. */
export function listen<K extends keyof DocumentEventMap>(
  target: Document,
  type: K,
  listener: (event: DocumentEventMap[K]) => void,
  options: { readonly passive?: boolean } = {},
): () => void {
  const settings = { capture: true, passive: options.passive ?? false };
  target.addEventListener(type, listener, settings);
  return () => {
    target.removeEventListener(type, listener, settings);
  };
}
