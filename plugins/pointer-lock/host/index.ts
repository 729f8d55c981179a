import type { ActivateHost } from '../../../host/plugin.ts';
import type { manifest } from '../manifest.ts';
import { lockAnswer, lockDisplaced, lockLeft, lockMoved, lockPressed, lockTurned } from '../protocol.ts';
import { pageAsks, pageFailed, pageState } from '../protocol.ts';
import { Lock } from './lock.ts';
import { LockedPointer } from './locked-pointer.ts';

const MAIN_FRAME = 1;

/**
 * Decides which page has the person's pointer: one that policy lets, after a gesture of the person, as long as the person's browser has its
 * own locked. A page that has locked that of the surrogate without is taken out at once.
 */
export const activate: ActivateHost<typeof manifest> = (scope) => {
  const { commands, page, hooks, input, tab } = scope;
  const lock = new Lock(scope);
  const pointer = new LockedPointer(scope);
  const isAllowed = (): boolean => tab.policy().permissions.pointer_lock;

  page.handle(pageAsks, ({ id: pageId, unadjusted, hasGesture }, { id: frame }) => {
    const isActive = hasGesture && input.gesture.isActive();
    lock.ask({ frame, pageId }, { unadjusted, isAllowed: isAllowed(), hasGesture: isActive });
  });
  page.handle(pageFailed, ({ id: pageId }, { id: frame }) => lock.failed({ frame, pageId }));
  page.handle(pageState, ({ isLocked }, { id: frame }) => {
    if (isLocked) {
      if (lock.entered(frame)) pointer.begin(frame);
      return;
    }
    lock.exited(frame);
    pointer.end(frame);
  });
  commands.handle(lockAnswer, ({ id, refusal }) => lock.answer(id, refusal));
  commands.handle(lockLeft, () => lock.end());
  commands.handle(lockMoved, (moved) => pointer.move(moved));
  commands.handle(lockPressed, (pressed) => pointer.press(pressed));
  commands.handle(lockTurned, (turned) => pointer.turn(turned));
  commands.handle(lockDisplaced, () => pointer.recentre());

  const gone = (frame: number): void => {
    lock.gone(frame);
    pointer.gone(frame);
  };
  const end = (): void => {
    lock.cancel('denied');
    lock.end();
  };
  hooks.tap(tab.hooks.navigated, ({ frame, sameDocument }) => {
    if (!sameDocument) gone(frame);
  });
  scope.frames.onGone(gone);
  hooks.tap(tab.hooks.replaced, () => gone(MAIN_FRAME));
  hooks.tap(tab.hooks.policyChanged, () => {
    if (!isAllowed()) end();
  });
  // A dialog has the focus, the tab is hidden, or the client has gone: so has its lock.
  hooks.tap(tab.hooks.inputLost, end);
  hooks.tap(tab.hooks.clientAttached, ({ fresh }) => {
    if (fresh) end();
  });
  scope.onDispose(() => lock.dispose());
};
