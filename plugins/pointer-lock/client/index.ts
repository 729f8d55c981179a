import { inputToken, rendererToken } from '../../../core/index.ts';
import type { ActivateClient } from '../../../core/index.ts';
import { lockAnswer, lockLeft, lockOver, lockRequest } from '../protocol.ts';
import type { Refusal } from '../protocol.ts';
import { sendMouse } from './locked-mouse.ts';

const MAIN_FRAME = 1;
/** Reasons by the names of the browser's errors. */
const REASONS: Readonly<Record<string, Refusal>> = {
  NotAllowedError: 'gesture',
  SecurityError: 'exited',
  NotSupportedError: 'unsupported',
};

/**
 * Locks the person's pointer for a page. The shell has the lock, as the documents of the view are sandboxed, and hears the mouse meanwhile;
 * keys go on to the view, which keeps the focus.
 */
export const activate: ActivateClient = ({ commands, services, onDispose }) => {
  const { documentElement: shell } = document;
  const renderer = services.get(rendererToken);
  let asking = new AbortController();
  /** Aborted when the lock of this browser that the page has asked for is over. */
  let locked: AbortController | undefined;

  const release = (): void => {
    locked?.abort();
    locked = undefined;
    if (document.pointerLockElement === shell) document.exitPointerLock();
  };
  commands.handle(lockRequest, async ({ id, unadjusted }) => {
    asking.abort();
    const { signal } = (asking = new AbortController());
    const refusal = await lock(shell, unadjusted);
    if (isOver(signal)) return release();
    if (refusal === undefined) {
      locked?.abort();
      locked = new AbortController();
      sendMouse(document, commands, renderer, locked.signal);
    }
    commands.send(lockAnswer, { id, ...(refusal !== undefined && { refusal }) });
  });
  commands.handle(lockOver, () => {
    asking.abort();
    release();
  });
  const changed = (): void => {
    if (!locked || document.pointerLockElement === shell) return;
    locked.abort();
    locked = undefined;
    commands.send(lockLeft, undefined);
  };
  document.addEventListener('pointerlockchange', changed);
  // No more input is taken from the page: it is another one, or the channel has gone.
  const undo = services.get(inputToken).add(({ frame, signal }) => {
    if (frame !== MAIN_FRAME) return;
    signal.addEventListener('abort', () => {
      if (locked) document.exitPointerLock();
    });
  });
  onDispose(() => {
    undo();
    document.removeEventListener('pointerlockchange', changed);
    asking.abort();
    release();
  });
};

/** Whether the signal was aborted. The compiler cannot know that this may change during an await. */
function isOver({ aborted }: AbortSignal): boolean {
  return aborted;
}

/** Locks the pointer to the shell. Returns the reason for which the browser does not. */
async function lock(shell: HTMLElement, unadjusted: boolean): Promise<Refusal | undefined> {
  // Absent in browsers without a mouse.
  const { requestPointerLock } = shell as Partial<HTMLElement>;
  if (!requestPointerLock) return 'unsupported';
  const over = new AbortController();
  const answered = new Promise<void>((resolve) => {
    for (const type of ['pointerlockchange', 'pointerlockerror'])
      document.addEventListener(type, () => resolve(), { signal: over.signal });
  });
  try {
    // Some browsers return no promise: the events are their answer.
    const outcome = requestPointerLock.call(shell, unadjusted ? { unadjustedMovement: true } : {}) as
      Promise<void> | undefined;
    await (outcome ?? answered);
    return document.pointerLockElement === shell ? undefined : 'denied';
  } catch (thrown) {
    return REASONS[(thrown as Partial<Error>).name ?? ''] ?? 'denied'; // whatever it is
  } finally {
    over.abort();
  }
}
