import { inputToken } from '../../../core/index.ts';
import type { ActivateClient, Commands, DeviceView, InputDevices, ParamsOf } from '../../../core/index.ts';
import { BUTTONS, mouse, reportUserAction } from '../protocol.ts';
import { mouseFlags } from './flags.ts';

/**
 * Movement is gathered for this long, in ms: less than a frame of a screen, so that what hovers and drags follows the pointer. The
 * specification's other way, 30 ms for all and 100 ms for movement (S-079), would lag. Presses and releases never wait.
 */
const MOVE_BATCH_MS = 10;

/**
 * Whether a press asks for a link in a tab or window of the person's own, by the rules of their browser: the middle button, or the left one
 * with Ctrl, Shift, or Command on a Mac. Such a press is not the page's business; plugins/popups opens the tab, by the same rule.
 */
function opensTab(event: MouseEvent): boolean {
  const isMeta = event.metaKey && /mac|iphone|ipad/i.test(navigator.platform);
  if (event.button > 1 || !(event.button || event.ctrlKey || event.shiftKey || isMeta)) return false;
  return event.composedPath().some((node) => {
    const element = node as Partial<Element>; // nodes of the view's realm: instanceof would be false
    return (element.localName === 'a' || element.localName === 'area') && element.hasAttribute?.('href');
  });
}

/** Inputs whose picker the view opens by itself. */
const PICKER_TYPES = /^(color|date|datetime-local|month|time|week)$/;

/**
 * Whether a press lands on a control whose picker opens in the view (select lists, dates, colours): in the surrogate it would open
 * another that nobody sees. The page hears of the choice (`input`), and of the focus. Only the left button does that (S-093).
 */
function opensPicker(event: MouseEvent): boolean {
  if (event.button !== 0) return false;
  return event.composedPath().some((node) => {
    const { localName, type, multiple, size } = node as Partial<HTMLSelectElement>; // of the view's realm; checked below
    if (localName === 'select') return multiple !== true && (size ?? 0) <= 1;
    return localName === 'input' && PICKER_TYPES.test(type ?? '');
  });
}

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
    moved = event;
    timer ??= setTimeout(flush, MOVE_BATCH_MS);
  });
  on('mousedown', (event) => {
    flush();
    const isPicker = opensPicker(event);
    if (isPicker || opensTab(event)) {
      commands.send(reportUserAction, { action: isPicker ? 'picker' : 'link-tab', flag: event.isTrusted });
      const target = isPicker && renderer.hitTest(event);
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
