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
  }),
});

/** Text that arrives whole: an input method, an emoji picker, dictation. */
export const insertText = message('keyboard.text', {
  direction: 'client-to-host',
  lane: 'input',
  params: v.object({ frame: id, text: text(100_000) }),
});
