/** Events of a pointer that has ended: a page hears none of them. */
const LATE = ['pointermove', 'pointerup', 'pointercancel', 'pointerout', 'pointerleave', 'lostpointercapture'] as const;

/** Follows the pointers of fingers in this document. `cancel` ends those that are down, as a browser does that scrolls with them. */
export function endPointers(signal: AbortSignal): { cancel(): void } {
  const down = new Map<number, PointerEvent>();
  const ended = new Set<number>();
  const options = { capture: true, signal };
  addEventListener(
    'pointerdown',
    (event) => {
      if (!event.isTrusted || event.pointerType !== 'touch') return;
      if (event.isPrimary) {
        down.clear();
        ended.clear();
      }
      down.set(event.pointerId, event);
    },
    options,
  );
  for (const type of LATE)
    addEventListener(
      type,
      (event) => {
        if (event.isTrusted && ended.has(event.pointerId)) event.stopImmediatePropagation();
        else if (event.isTrusted && (type === 'pointerup' || type === 'pointercancel')) down.delete(event.pointerId);
      },
      options,
    );
  return {
    cancel: () => {
      for (const [id, event] of down) {
        ended.add(id);
        end(event);
      }
      down.clear();
    },
  };
}

/** Dispatches what a browser dispatches at the end of a pointer. */
function end(event: PointerEvent): void {
  const { pointerId, isPrimary, width, height } = event;
  const path = event.composedPath();
  const [target] = path.length > 0 ? path : [event.target];
  const init = { pointerId, pointerType: 'touch', isPrimary, width, height, composed: true };
  target?.dispatchEvent(new PointerEvent('pointercancel', { ...init, bubbles: true }));
  target?.dispatchEvent(new PointerEvent('pointerout', { ...init, bubbles: true }));
  target?.dispatchEvent(new PointerEvent('pointerleave', init));
}
