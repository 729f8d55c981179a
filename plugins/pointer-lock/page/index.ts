import type { ActivatePage, ResultOf } from '../../../core/page.ts';
import { pageAnswer, pageAsks, pageFailed, pageHold, pageLeave, pageState, pageSteady } from '../protocol.ts';
import { HeldMoves } from './held-moves.ts';

/** Longest wait for the browser to end a lock, in ms. */
const LEAVE_MS = 500;

const { exitPointerLock } = Document.prototype;
const lockedIn = Object.getOwnPropertyDescriptor(Document.prototype, 'pointerLockElement')?.get;

/** Relays the page's requests, reports its lock, and keeps from it the movement with which the host places the pointer. */
export const activate: ActivatePage = ({ commands, kernel, main, onDispose }) => {
  const moves = new HeldMoves(kernel);
  let hasLock = false;
  let left: (() => void) | undefined;
  const isLocked = (): boolean => Boolean(lockedIn?.call(document));

  main.on('ask', (text) => {
    const [number, option] = text.split(' ');
    const id = Number(number);
    if (!Number.isSafeInteger(id)) return;
    commands.send(pageAsks, {
      id,
      unadjusted: option === 'unadjusted',
      hasGesture: navigator.userActivation.isActive,
    });
  });
  main.on('failed', (text) => {
    const id = Number(text);
    if (!Number.isSafeInteger(id)) return;
    if (!isLocked()) moves.release();
    commands.send(pageFailed, { id });
  });
  commands.handle(pageAnswer, ({ id, refusal }) => {
    if (refusal !== undefined) return void main.send('refuse', `${id} ${refusal}`);
    // Before listeners that the page adds once it has the lock.
    moves.hold();
    main.send('enter', String(id));
  });
  kernel.listen('pointerlockchange', () => {
    if (hasLock === isLocked()) return; // another element of the document, or an event of the page's own
    hasLock = !hasLock;
    moves.hold();
    commands.send(pageState, { isLocked: hasLock });
    if (!hasLock) left?.();
  });
  commands.handle(pageLeave, async (): Promise<ResultOf<typeof pageLeave>> => {
    if (!isLocked()) return;
    const over = new Promise<void>((resolve) => {
      left = resolve;
      setTimeout(resolve, LEAVE_MS);
    });
    exitPointerLock.call(document);
    await over;
  });
  commands.handle(pageHold, (): ResultOf<typeof pageHold> => {
    moves.hold();
    return undefined;
  });
  commands.handle(pageSteady, (): ResultOf<typeof pageSteady> => {
    const { x, y } = moves.release();
    return { x, y };
  });
  onDispose(() => moves.dispose());
};
