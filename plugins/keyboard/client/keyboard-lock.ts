/**
 * Keys that the browser and the system keep to themselves otherwise. Escape and F11 are none of them: either ends full screen, so that the
 * person is never kept in it.
 */
const LOCKED = ['KeyN', 'KeyT', 'KeyW', 'KeyQ', 'Tab', 'F4', 'PageUp', 'PageDown', 'AltLeft', 'MetaLeft', 'MetaRight'];

/** The Keyboard API, where the browser has it. */
interface LockableNavigator {
  readonly keyboard?: { lock(codes: readonly string[]): Promise<void>; unlock(): void };
}

/** Gives the page all keys while it has the person's browser in full screen, where the browser can. Answers with whether it has them. */
export async function lockKeyboard(): Promise<boolean> {
  const { keyboard } = navigator as LockableNavigator; // not in all browsers
  if (!keyboard) return false;
  if (!document.fullscreenElement) {
    keyboard.unlock();
    return false;
  }
  try {
    await keyboard.lock(LOCKED);
    return true;
  } catch {
    return false; // not allowed here: shortcuts stay with the browser
  }
}
