import type { ActivatePage } from '../../../core/page.ts';
import { pageAnswered, pageBlocking, pageGesture } from '../protocol.ts';
import { endPointers } from './pointers.ts';

/**
 * Says what the page does with the person's fingers, and ends its pointers where the view scrolls with them. Nothing is scrolled by a finger
 * here (`page.css`): the view does it, and this page follows.
 */
export const activate: ActivatePage = ({ commands, main, onDispose, signal }) => {
  const pointers = endPointers(signal);
  if (navigator.maxTouchPoints) commands.send(pageBlocking, { is_blocking: false });
  onDispose(main.on('blocking', () => commands.send(pageBlocking, { is_blocking: true })));
  /** The last answer in this gesture. */
  let last: boolean | undefined;
  let isStartKept = false;
  /** Whether the view has answered a finger of this gesture that rests. */
  let isHeld = false;
  const hear = (event: TouchEvent): void => {
    if (!event.isTrusted) return;
    const isStart = event.type === 'touchstart';
    if (isStart && event.touches.length === 1) {
      last = undefined;
      isStartKept = false;
      isHeld = false;
    }
    // A task of its own: all listeners of the page have run by then.
    setTimeout(() => {
      if (isStart) isStartKept ||= event.defaultPrevented;
      const isKept = isStartKept || event.defaultPrevented;
      if (isKept === last || (isStart && !isKept)) return;
      last = isKept;
      commands.send(pageAnswered, { is_kept: isKept });
    });
  };
  for (const type of ['touchstart', 'touchmove'] as const)
    addEventListener(type, hear, { capture: true, passive: true, signal });
  const lift = (event: TouchEvent): void => {
    if (isHeld) event.preventDefault(); // Chromium makes a tap of it, however long it has rested
  };
  commands.handle(pageGesture, ({ kind }) => {
    if (kind === 'pan') pointers.cancel();
    else {
      isHeld = true;
      addEventListener('touchend', lift, { capture: true, once: true, passive: false, signal });
    }
  });
};
