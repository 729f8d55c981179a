/**
 * Calls the listener once the signal is aborted: at once where it is already, of which `addEventListener` says nothing. Returns a function that
 * unregisters it.
 */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  if (signal.aborted) {
    listener();
    return () => undefined;
  }
  signal.addEventListener('abort', listener, { once: true });
  return () => signal.removeEventListener('abort', listener);
}
