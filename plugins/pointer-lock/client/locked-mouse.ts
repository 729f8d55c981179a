import type { Commands, Renderer } from '../../../core/index.ts';
import { modifierFlags } from '../../../core/protocol/input-flags.ts';
import { BUTTONS, lockDisplaced, lockMoved, lockPressed, lockTurned } from '../protocol.ts';

/** Movement is summed for this long, in ms. Presses and releases never wait. */
const MOVE_BATCH_MS = 10;
/** CSS px of one line, for wheels that count in lines (S-160). */
const WHEEL_LINE_PX = 40;

/** Flags of a mouse event: modifier keys and buttons held, whose bits the platform shares with the specification (S-046). */
function flagsOf(event: MouseEvent): number {
  return modifierFlags(event) | (event.buttons & 31);
}

/** Sends what the person does with the locked pointer, which the shell's document hears. Ends with the signal. */
export function sendMouse(shell: Document, commands: Commands, renderer: Renderer, signal: AbortSignal): void {
  let [x, y] = [0, 0];
  let modifiers = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** The buttons that went down under the lock, as bits. */
  let pressed = 0;

  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (!signal.aborted && (x !== 0 || y !== 0)) commands.send(lockMoved, { movement_x: x, movement_y: y, modifiers });
    [x, y] = [0, 0];
  };
  const on = <K extends keyof DocumentEventMap>(type: K, listener: (event: DocumentEventMap[K]) => void): void =>
    shell.addEventListener(type, listener, { capture: true, passive: false, signal });
  const press = (event: MouseEvent, type: 'down' | 'up'): void => {
    const button = BUTTONS[event.button];
    if (button === undefined) return;
    const clicks = Math.min(event.detail, 100);
    commands.send(lockPressed, { type, button, modifiers: flagsOf(event), click_count: clicks });
  };

  on('mousemove', (event) => {
    x += event.movementX;
    y += event.movementY;
    modifiers = flagsOf(event);
    timer ??= setTimeout(flush, MOVE_BATCH_MS);
  });
  on('mousedown', (event) => {
    event.preventDefault(); // the focus stays in the view
    flush();
    pressed |= 1 << event.button;
    press(event, 'down');
  });
  on('mouseup', (event) => {
    event.preventDefault(); // the side buttons would go back and forward
    flush();
    const bit = 1 << event.button;
    if (pressed & bit) press(event, 'up');
    else {
      releaseIn(renderer, event);
      commands.send(lockDisplaced, undefined);
    }
    pressed &= ~bit;
  });
  on('wheel', (event) => {
    event.preventDefault();
    flush();
    const unit = event.deltaMode === 1 ? WHEEL_LINE_PX : event.deltaMode === 2 ? shell.documentElement.clientHeight : 1;
    const [deltaX, deltaY] = [event.deltaX * unit, event.deltaY * unit];
    commands.send(lockTurned, { delta_x: deltaX, delta_y: deltaY, modifiers: modifierFlags(event) });
  });
  on('contextmenu', (event) => event.preventDefault());
}

/** Lets a button come up in the view, in whichever document it was pressed before the lock: what follows it there goes by that document. */
function releaseIn(renderer: Renderer, event: MouseEvent): void {
  const { x, y } = renderer.view.getBoundingClientRect();
  const { button, buttons, detail, screenX, screenY, shiftKey, ctrlKey, altKey, metaKey } = event;
  const at = { clientX: event.clientX - x, clientY: event.clientY - y, screenX, screenY };
  const held = { button, buttons, detail, shiftKey, ctrlKey, altKey, metaKey };
  const undo = renderer.documents(({ document }) => {
    document.documentElement.dispatchEvent(
      new MouseEvent('mouseup', { ...at, ...held, bubbles: true, composed: true }),
    );
    return () => undefined;
  });
  undo();
}
