/** Time for which nothing in a dialog can be activated after it has appeared or moved, in ms: nobody reads and decides sooner. */
const ACTIVATION_DELAY_MS = 500;

/**
 * Keeps a dialog from taking clicks that were meant for what was in its place before: a page knows when it opens a dialog, and may
 * have the person click there at that moment. Presses that began too early are refused too, and keys that are held down. Time
 * counts from what was painted, by the clock of the events. Returns a function that ends it.
 */
export function delayActivation(dialog: HTMLElement): () => void {
  const { ownerDocument: document } = dialog;
  const { performance } = document.defaultView ?? window;
  let since = Infinity;
  let place = '';
  let wasPressedEarly = false;
  let timer: number | undefined;
  const isEarly = ({ timeStamp }: Event): boolean => {
    look();
    return timeStamp < since + ACTIVATION_DELAY_MS;
  };
  /** Events may come before the frame that would paint a change: they look, too. */
  const look = (): void => {
    const { x, y, width, height } = dialog.getBoundingClientRect();
    const now = [x, y, width, height].join(' ');
    if (now === place) return;
    place = now;
    since = performance.now();
    wait();
  };
  const moved = new ResizeObserver(look);
  /** Content that comes late, of another size, takes no clicks from now on: its time begins with the next frame. */
  const filled = new MutationObserver(() => {
    const { width, height } = dialog.getBoundingClientRect();
    if (place.endsWith(` ${width} ${height}`)) return;
    window.clearTimeout(timer);
    dialog.setAttribute('aria-disabled', 'true');
    window.requestAnimationFrame(() => {
      if (undo.signal.aborted) return;
      place = '';
      look();
    });
  });
  const wait = (): void => {
    dialog.setAttribute('aria-disabled', 'true');
    window.clearTimeout(timer);
    timer = window.setTimeout(() => dialog.removeAttribute('aria-disabled'), ACTIVATION_DELAY_MS);
  };
  const press = (event: Event): void => {
    const isHeld = 'repeat' in event && event.repeat === true;
    wasPressedEarly = isEarly(event) || (isHeld && wasPressedEarly);
  };
  const activate = (event: Event): void => {
    if (!isEarly(event) && !wasPressedEarly) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const undo = new AbortController();
  const options = { capture: true, signal: undo.signal };
  for (const type of ['pointerdown', 'keydown']) document.addEventListener(type, press, options);
  for (const type of ['click', 'submit']) document.addEventListener(type, activate, options);
  dialog.setAttribute('aria-disabled', 'true');
  moved.observe(dialog);
  moved.observe(document.documentElement);
  filled.observe(dialog, { childList: true, subtree: true });
  return () => {
    undo.abort();
    moved.disconnect();
    filled.disconnect();
    window.clearTimeout(timer);
  };
}
