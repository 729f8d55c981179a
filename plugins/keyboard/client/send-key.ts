import type { Commands } from '../../../core/index.ts';
import { INPUT_FLAGS, modifierFlags } from '../../../core/protocol/input-flags.ts';
import { keyboard } from '../protocol.ts';
import { isAltGraph, keyText } from './keys.ts';

/** State of the keyboard, which all documents of the view share: a key comes up wherever the focus is by then. */
export interface Keys {
  /** Codes of the keys that the page has heard go down. */
  readonly held: Set<string>;
  /** Shortcuts of the browser that go to the page all the same, as `key_ctrl` says them. */
  control: string;
  /** Whether a key of the browser goes to the page all the same. */
  isHeldBack?: (event: KeyboardEvent) => boolean;
  /** Whether a key completes something in the view: an accent, which comes with the key press, or the choice in a list that is open there. */
  completes?: (event: KeyboardEvent) => boolean;
}

/** Sends a key. `typed`: what it types, where that is not the event's key. */
export function sendKey(
  { held }: Keys,
  commands: Commands,
  frame: number,
  event: KeyboardEvent,
  type: 'down' | 'up',
  typed = event.key,
): void {
  const altGraph = isAltGraph(event);
  commands.send(keyboard, {
    frame,
    type,
    key: typed.slice(0, 50),
    code: event.code.slice(0, 50),
    key_code: event.keyCode, // the surrogate's page may still read it; no other field carries it
    location: event.location,
    repeat: event.repeat,
    // AltGraph types a character: with Ctrl and Alt set the page would take it for a shortcut.
    modifiers: modifierFlags(event) & (altGraph ? ~(INPUT_FLAGS.ctrl | INPUT_FLAGS.alt) : ~0),
    at: Math.round((event.view ?? window).performance.timeOrigin + event.timeStamp),
    text: type === 'down' ? keyText(event, altGraph, typed).slice(0, 16) : '',
  });
  held[type === 'down' ? 'add' : 'delete'](event.code);
}
