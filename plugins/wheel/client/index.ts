import { inputToken } from '../../../core/index.ts';
import type { ActivateClient, ClientScope, DeviceView } from '../../../core/index.ts';
import { modifierFlags } from '../../../core/protocol/input-flags.ts';
import { wheel } from '../protocol.ts';

/** CSS px of one line, for wheels that count in lines (S-160). */
const WHEEL_LINE_PX = 40;

/** A turn of the wheel is over when it has rested for this long, in ms. */
const WHEEL_END_MS = 100;
/** Longest time for which the state from the start of a turn applies, in ms. */
const WHEEL_STATE_MS = 5000;

/** Wheel event with the fields that all browsers add to the standard's. */
type LegacyWheelEvent = WheelEvent & { readonly wheelDeltaX: number; readonly wheelDeltaY: number };

/** Wheel deltas of an event in CSS px. */
function wheelPixels(event: WheelEvent, pageHeight: number): { readonly x: number; readonly y: number } {
  const unit = event.deltaMode === 1 ? WHEEL_LINE_PX : event.deltaMode === 2 ? pageHeight : 1;
  return { x: event.deltaX * unit, y: event.deltaY * unit };
}

/** Whether something under the event can still scroll in its direction, so that the view scrolls by itself. */
function scrollsHere(event: WheelEvent): boolean {
  const isX = Math.abs(event.deltaX) > Math.abs(event.deltaY);
  const delta = isX ? event.deltaX : event.deltaY;
  for (const node of event.composedPath()) {
    if ((node as Partial<Node>).nodeType !== 1) continue;
    const element = node as Element; // nodeType says so; instanceof fails across realms
    const view = element.ownerDocument.defaultView;
    if (!view) continue;
    const isRoot = element === element.ownerDocument.scrollingElement;
    const style = view.getComputedStyle(element);
    const overflow = isX ? style.overflowX : style.overflowY;
    if (isRoot ? overflow === 'hidden' : overflow !== 'auto' && overflow !== 'scroll') continue;
    const room = isX ? element.scrollWidth - element.clientWidth : element.scrollHeight - element.clientHeight;
    const at = isX ? element.scrollLeft : element.scrollTop;
    if (room > 0 && (delta < 0 ? at > 0 : at < room - 0.5)) return true;
  }
  return false;
}

/** Forwards the wheel of every document of the view. */
export const activate: ActivateClient = (scope) => {
  scope.onDispose(scope.services.get(inputToken).add((view) => forwardWheel(view, scope)));
};

/**
 * Forwards the wheel of one document. What the view can scroll it scrolls by itself, at once; the surrogate hears of the offset
 * (`Renderer.onScroll`). As in any browser a turn of the wheel stays with what it has begun to scroll: at the end of that, the rest of it
 * scrolls nothing further out. Anything else goes to the page; zooming with Ctrl is the person's browser's.
 */
function forwardWheel({ document, on, renderer }: DeviceView, { commands, events }: ClientScope): void {
  let last = -Infinity;
  let began = -Infinity;
  let isLatched = false;
  const forward = (event: WheelEvent): void => {
    if (event.ctrlKey) return; // the person's own zoom
    const now = event.timeStamp;
    if (now - last > WHEEL_END_MS || now - began > WHEEL_STATE_MS) {
      began = now;
      isLatched = false;
    }
    last = now;
    isLatched ||= scrollsHere(event);
    if (isLatched) return;
    const target = renderer.hitTest(event);
    if (!target) {
      events.report('tc-wheel-event-error', {}, { level: 'error' });
      return;
    }
    const { x, y } = wheelPixels(event, document.documentElement.clientHeight);
    const { wheelDeltaX, wheelDeltaY } = event as LegacyWheelEvent; // all browsers have them
    commands.send(wheel, {
      target,
      delta_x: x,
      delta_y: y,
      wheel_delta_x: wheelDeltaX,
      wheel_delta_y: wheelDeltaY,
      handled: false,
      modifiers: modifierFlags(event),
    });
  };
  on('wheel', forward, { passive: true });
}
