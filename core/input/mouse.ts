import type { Renderer } from '../contracts/renderer.ts';
import type { Commands } from '../contracts/scope.ts';
import { focused, mouse } from '../protocol/core-messages.ts';
import type { ParamsOf } from '../protocol/message.ts';
import { mouseFlags } from './flags.ts';
import { listen } from './listen.ts';

/** Movement is gathered for this long, in ms; presses and releases never wait. */
export const MOVE_BATCH_MS = 10;

const BUTTONS = ['left', 'middle', 'right', 'back', 'forward'] as const;

/**
 * Whether a press asks for a link in a tab of the person's own: the middle button, or the left one with Ctrl or Command. Such a press
 * is not the page's business; plugins/navigation opens the tab.
 */
function opensTab(event: MouseEvent): boolean {
  if (event.button !== 1 && !(event.button === 0 && (event.ctrlKey || event.metaKey))) return false;
  return linkOf(event) !== undefined;
}

/** The link under an event, if there is one. */
function linkOf(event: Event): Element | undefined {
  return event.composedPath().find((node): node is Element => {
    const element = node as Partial<Element>; // nodes of the view's realm: instanceof would be false
    return (element.localName === 'a' || element.localName === 'area') && element.hasAttribute?.('href') === true;
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

/** Forwards the mouse of one view document. Answers with its undo. */
export function forwardMouse(document: Document, renderer: Renderer, commands: Commands): () => void {
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
    if (event) send(event, 'move');
  };
  const undo = [
    listen(document, 'mousemove', (event) => {
      moved = event;
      timer ??= setTimeout(flush, MOVE_BATCH_MS);
    }),
    listen(document, 'mousedown', (event) => {
      flush();
      if (opensPicker(event)) {
        const target = renderer.hitTest(event);
        if (target) commands.send(focused, { target });
      } else if (!opensTab(event)) {
        pressed |= 1 << event.button;
        send(event, 'down');
      }
    }),
    listen(document, 'mouseup', (event) => {
      flush();
      const bit = 1 << event.button;
      if (pressed & bit) send(event, 'up');
      pressed &= ~bit;
    }),
    listen(document, 'mouseout', (event) => {
      if (event.relatedTarget !== null) return; // still inside this document
      flush();
      send(event, 'leave');
    }),
    () => {
      clearTimeout(timer);
    },
  ];
  return () => {
    for (const each of undo) each();
  };
}
