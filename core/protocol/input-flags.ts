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
