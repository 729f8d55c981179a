import type { ClientScope, Device, InputDevices, ParamsOf } from '../../../core/index.ts';
import type { answered, blocking } from '../protocol.ts';
import { Gesture } from './gesture.ts';
import { Patience } from './patience.ts';

/** The browser makes mouse events of a tap, within this time after the finger has come up, in ms. */
const MOUSE_EMULATION_MS = 1000;

/** Controls that the view's own browser answers: its pickers, and sliders. The page hears of the mouse there, and of the value. */
const LOCAL_TYPES = /^(color|date(time-local)?|month|range|time|week)$/;

/** Documents of which it is remembered whether they may keep gestures; of others nobody knows. */
const MOST_FRAMES = 1000;

/** Whether the person's browser answers fingers there by itself. */
function isLocal(path: readonly EventTarget[]): boolean {
  // Elements of the view's realm, of any kind, and its document and window, which have none of these properties.
  return (path as readonly HTMLSelectElement[]).some(({ localName, type, multiple, size }) =>
    localName === 'select' ? !multiple && size <= 1 : localName === 'input' && LOCAL_TYPES.test(type),
  );
}

/** Takes the host's messages. */
interface Followed {
  answered(params: ParamsOf<typeof answered>): void;
  found(params: ParamsOf<typeof blocking>): void;
}

/** Follows the fingers in every document of the view, from now on. */
export function followFingers({ commands, onDispose }: ClientScope, input: InputDevices): Followed {
  // With a mouse beside the screen, pages have no touch events: see `host/cell/tab/emulation.ts`.
  const isTouched = matchMedia('(hover: none) and (pointer: coarse)');
  let current: Gesture | undefined;
  let last = 0;
  let endedAt = -Infinity;
  /** By frame: whether its page may keep a gesture for itself, where that is known. */
  const blocks = new Map<number, boolean>();

  const device: Device = (view) => {
    const { document, on, signal } = view;
    const patience = new Patience(() => blocks.get(view.frame));
    const active = { passive: false };
    on(
      'touchstart',
      (event) => {
        if (event.touches.length === event.changedTouches.length)
          current =
            isTouched.matches && !isLocal(event.composedPath())
              ? new Gesture({ id: ++last, view, commands, patience, path: event.composedPath() })
              : undefined;
        current?.started(event);
      },
      active,
    );
    on('touchmove', (event) => current?.moved(event), active);
    const ended = (event: TouchEvent): void => {
      if (!current) return;
      current.ended(event);
      endedAt = event.timeStamp;
      if (event.touches.length === 0) current = undefined;
    };
    on('touchend', ended);
    on('touchcancel', ended);
    on('pointercancel', ({ pointerType }) => {
      if (pointerType === 'touch') current?.panned();
    });
    on('contextmenu', () => current?.held());
    // The page's browser makes its own of the same tap. Those of the view go on to everything but the mouse.
    for (const type of ['mousemove', 'mousedown', 'mouseup'] as const)
      document.defaultView?.addEventListener(
        type,
        (event) => {
          // Chromium says so; elsewhere a mouse that is used so soon after a finger is taken for it.
          const { sourceCapabilities } = event as {
            readonly sourceCapabilities?: { readonly firesTouchEvents: boolean };
          };
          const isOfTouch = sourceCapabilities?.firesTouchEvents ?? event.timeStamp - endedAt < MOUSE_EMULATION_MS;
          if (isOfTouch && !isLocal(event.composedPath())) Object.assign(event, { isOfTouch });
        },
        { capture: true, signal },
      );
  };
  onDispose(input.add(device));
  return {
    answered: ({ event_id: id, is_kept: isKept }) => {
      if (current?.id === id) current.answer(isKept);
    },
    found: ({ frame, is_blocking: isBlocking }) => {
      if (blocks.size >= MOST_FRAMES) blocks.clear();
      blocks.set(frame, isBlocking);
    },
  };
}
