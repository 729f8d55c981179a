import * as v from 'valibot';
import { text } from '../../core/protocol/atoms.ts';
import { message } from '../../core/protocol/message.ts';

/** Maximum length of the text, in UTF-16 units: names may be long, and the policy may contain them several times. */
export const MAX_TEXT = 2000;

/** The current text over the page. */
export const watermarkShow = message('watermark.show', {
  direction: 'host-to-client',
  lane: 'control',
  params: v.object({
    /** `{time}` in it is replaced by the time. Empty: nothing is shown. */
    text: text(MAX_TEXT),
    /** Whether the browser's own printing of the view shows it too. */
    print: v.boolean(),
  }),
});
