import * as v from 'valibot';
import { message } from '../../core/protocol/message.ts';

/** What is to be laid over the page from now on. */
export const watermarkShow = message('watermark.show', {
  direction: 'host-to-client',
  lane: 'control',
  params: v.object({
    /** `{time}` in it stands for the time; empty: nothing is shown. */
    text: v.pipe(v.string(), v.maxLength(2000)),
    /** Where the browser itself prints what it shows, too. */
    print: v.boolean(),
  }),
});
