import * as v from 'valibot';
import { text } from '../../core/protocol/atoms.ts';
import { message } from '../../core/protocol/message.ts';

/** Longest text, in UTF-16 units: names may be long, and policy may have them several times. */
export const MAX_TEXT = 2000;

/** What is to be laid over the page from now on. */
export const watermarkShow = message('watermark.show', {
  direction: 'host-to-client',
  lane: 'control',
  params: v.object({
    /** `{time}` in it stands for the time; empty: nothing is shown. */
    text: text(MAX_TEXT),
    /** Where the browser itself prints what it shows, too. */
    print: v.boolean(),
  }),
});
