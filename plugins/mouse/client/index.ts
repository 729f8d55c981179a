import { inputToken } from '../../../core/index.ts';
import type { ActivateClient, Commands, DeviceView, InputDevices, ParamsOf } from '../../../core/index.ts';
import { isApple } from '../../../core/protocol/platform.ts';
import { BUTTONS, mouse, reportUserAction } from '../protocol.ts';
import { mouseFlags } from './flags.ts';

/**
 * Movement is gathered for this long, in ms: less than a frame of a screen, so that what hovers and drags follows the pointer. The
 * specification's other way, 30 ms for all and 100 ms for movement (S-079), would lag. Presses and releases never wait.
 */
const MOVE_BATCH_MS = 10;

/** Inputs whose picker the view opens by itself. */
const PICKER_TYPES = /^(color|date(time-local)?|month|time|week)$/;

/**
 * A press that the view or the person's browser answers, and the page does not hear of:
 * - `picker`, on a control whose picker opens in the view (select lists, dates, colours): in the surrogate it would open another that nobody
 *   sees. The page hears of the choice (`input`), and of the focus. Only the left button does that (S-093).
 * - `link-tab`, for a link in a tab or window of the person's own, by the rules of their browser: the middle button, or the left one with
 *   Ctrl, Shift, or Command on a Mac. plugins/popups opens the tab, by the same rule.
 */
function answerOf(event: MouseEvent): 'picker' | 'link-tab' | undefined {
  const { button, ctrlKey, shiftKey, metaKey } = event;
  if (button > 1) return undefined;
  const isLinkTab = button === 1 || ctrlKey || shiftKey || (metaKey && isApple(navigator.platform));
  // Elements of the view's realm, of any kind, and its document and window, which have none of these properties.
  for (const node of event.composedPath() as HTMLSelectElement[]) {
    const { localName, type, multiple, size } = node;
    const isList = localName === 'select' && !multiple && size <= 1;
    if (button === 0 && (isList || (localName === 'input' && PICKER_TYPES.test(type)))) return 'picker';
    if (isLinkTab && /^(a|area)$/.test(localName) && node.hasAttribute('href')) return 'link-tab';
  }
  return undefined;
}

/** Whether the browser has made it of a tap, of which the page's browser makes its own: plugins/touch marks such events. */
const isOfTouch = (event: MouseEvent): unknown => (event as { readonly isOfTouch?: true }).isOfTouch;

/** Forwards the mouse of every document of the view. */
export const activate: ActivateClient = ({ commands, services, onDispose }) => {
  const input = services.get(inputToken);
  onDispose(input.add((view) => forwardMouse(view, commands, input)));
};

/** Forwards the mouse of one document. */
function forwardMouse({ on, renderer, signal }: DeviceView, commands: Commands, input: InputDevices): void {
  let moved: MouseEvent | undefined;
  /** The buttons whose press the page has heard of, as bits: it hears of their release, wherever that is, and of no other. */
  let pressed = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const send = (event: MouseEvent, type: ParamsOf<typeof mouse>['type']): void => {
    const target = renderer.hitTest(event);
    if (!target) return;
    const isPress = type === 'down' || type === 'up';
    commands.send(mouse, {
      target,
      type,
      screen_x: event.screenX,
      screen_y: event.screenY,
      button: isPress ? (BUTTONS[event.button] ?? 'none') : 'none',
      modifiers: mouseFlags(event),
      click_count: isPress ? Math.min(event.detail, 100) : 0,
      movement_x: event.movementX,
      movement_y: event.movementY,
    });
  };
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const event = moved;
    moved = undefined;
    if (event && !signal.aborted) send(event, 'move');
  };
  on('mousemove', (event) => {
    if (isOfTouch(event)) return;
    moved = event;
    timer ??= setTimeout(flush, MOVE_BATCH_MS);
  });
  on('mousedown', (event) => {
    if (isOfTouch(event)) return;
    flush();
    const action = answerOf(event);
    if (action) {
      commands.send(reportUserAction, { action, flag: event.isTrusted });
      const target = action === 'picker' && renderer.hitTest(event);
      if (target) input.focus(target);
    } else {
      pressed |= 1 << event.button;
      send(event, 'down');
    }
  });
  // A finger that slides a control presses no button.
  on('pointerdown', (event) => {
    const { type } = event.target as HTMLInputElement; // presses target elements
    const target = type === 'range' && event.pointerType !== 'mouse' && renderer.hitTest(event);
    if (target) input.focus(target);
  });
  on('mouseup', (event) => {
    flush();
    const bit = 1 << event.button;
    if (pressed & bit) send(event, 'up');
    pressed &= ~bit;
  });
  on('mouseout', (event) => {
    if (event.relatedTarget !== null) return; // still inside this document
    flush();
    send(event, 'leave');
  });
}
