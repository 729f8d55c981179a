import { INPUT_FLAGS } from '../protocol/input-flags.ts';

interface Modified {
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
}

/** The flags of the modifier keys that an event was made with (S-046). */
export function modifierFlags(event: Modified): number {
  return (
    (event.shiftKey ? INPUT_FLAGS.shift : 0) |
    (event.ctrlKey ? INPUT_FLAGS.ctrl : 0) |
    (event.altKey ? INPUT_FLAGS.alt : 0) |
    (event.metaKey ? INPUT_FLAGS.meta : 0)
  );
}

/** The flags of a mouse event: modifier keys and buttons held, whose bits the platform shares with the specification. */
export function mouseFlags(event: MouseEvent): number {
  return modifierFlags(event) | (event.buttons & 31);
}
