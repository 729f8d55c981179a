import { upTo } from './atoms.ts';

/** Bit flags of mouse and keyboard messages (S-046). */
export const INPUT_FLAGS = {
  left: 1,
  right: 2,
  middle: 4,
  back: 8,
  forward: 16,
  shift: 32,
  ctrl: 64,
  alt: 128,
  meta: 256,
  scrollbarScrolled: 512,
  setForeground: 1024,
  wheelDefaultPrevented: 2048,
} as const;

/** All flags together: the largest value a flags field may hold. */
export const INPUT_FLAGS_MASK = 4095;

/** Schema of a flags field. */
export const inputFlags = upTo(INPUT_FLAGS_MASK);

interface Modified {
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
}

/** Flags of the modifier keys that an event was made with (S-046). */
export function modifierFlags(event: Modified): number {
  return (
    (event.shiftKey ? INPUT_FLAGS.shift : 0) |
    (event.ctrlKey ? INPUT_FLAGS.ctrl : 0) |
    (event.altKey ? INPUT_FLAGS.alt : 0) |
    (event.metaKey ? INPUT_FLAGS.meta : 0)
  );
}

/** CDP's modifier bits of INPUT_FLAGS. */
export function cdpModifiers(flags: number): number {
  return (
    (flags & INPUT_FLAGS.alt ? 1 : 0) |
    (flags & INPUT_FLAGS.ctrl ? 2 : 0) |
    (flags & INPUT_FLAGS.meta ? 4 : 0) |
    (flags & INPUT_FLAGS.shift ? 8 : 0)
  );
}
