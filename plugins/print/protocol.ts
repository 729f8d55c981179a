import * as v from 'valibot';
import { serial } from '../../core/protocol/atoms.ts';
import { message, nothing } from '../../core/protocol/message.ts';

const id = v.object({ id: serial });

/** The page, or the person in it, wants it printed. */
export const printAsked = message('print.asked', {
  direction: 'page-to-host',
  lane: 'control',
  params: nothing,
});

/** PDFs are about to be made of the page: its events are to tell of one printing. */
export const printBegun = message('print.begun', {
  direction: 'host-to-page',
  lane: 'control',
  params: nothing,
  result: nothing,
});

/** Printing has ended, or is not to be. */
export const printOver = message('print.over', { direction: 'host-to-page', lane: 'control', params: nothing });

/** Ask the person how the page is to be printed; or tell them that it is not to be. */
export const printOpen = message('print.open', {
  direction: 'host-to-client',
  lane: 'control',
  params: v.object({ ...id.entries, allowed: v.boolean() }),
});

/** Printing has ended, one way or the other: a page that waits in it goes on. */
export const unblockPrint = message('unblock-print', { direction: 'client-to-host', lane: 'control', params: id });
