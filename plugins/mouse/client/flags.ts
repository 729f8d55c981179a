import { modifierFlags } from '../../../core/protocol/input-flags.ts';

/** The flags of a mouse event: modifier keys and buttons held, whose bits the platform shares with the specification (S-046). */
export function mouseFlags(event: MouseEvent): number {
  return modifierFlags(event) | (event.buttons & 31);
}
