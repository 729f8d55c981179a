import * as v from 'valibot';
import { id, text, upTo } from '../../core/protocol/atoms.ts';
import { inputFlags } from '../../core/protocol/input-flags.ts';
import { message } from '../../core/protocol/message.ts';

/** Keyboard input. `text` is what the key types, if anything. */
export const keyboard = message('kbd', {
  direction: 'client-to-host',
  lane: 'input',
  params: v.object({
    frame: id,
    type: v.picklist(['down', 'up']),
    key: text(50),
    code: text(50),
    key_code: upTo(65_535),
    location: upTo(3),
    repeat: v.boolean(),
    modifiers: inputFlags,
    text: text(16),
    /** When it went down, in ms of the person's clock. */
    at: v.exactOptional(v.number()),
  }),
});

/** Text that arrives whole: an input method, an emoji picker, dictation. */
export const insertText = message('keyboard.text', {
  direction: 'client-to-host',
  lane: 'input',
  params: v.object({ frame: id, text: text(100_000) }),
});

/**
 * Shortcuts of the person's browser that are held back from it and sent to the page (M-093), in place of those of the last such message: names
 * of `core/protocol/shortcut.ts`, separated by spaces.
 */
export const keyControl = message('key_ctrl', {
  direction: 'host-to-client',
  lane: 'control',
  params: v.object({ held: text(1000) }),
});

/** The page has heard of a shortcut of the browser's, and leaves it to the browser. */
export const pageLeaves = message('keyboard.page-leaves', {
  direction: 'page-to-host',
  lane: 'control',
  params: v.object({ shortcut: text(30) }),
});
