import * as v from 'valibot';
import { serial } from '../../core/protocol/atoms.ts';
import { message, nothing } from '../../core/protocol/message.ts';

const id = v.object({ id: serial });

/** The page, or the person in it, requests printing. */
export const printAsked = message('print.asked', {
  direction: 'page-to-host',
  lane: 'control',
  params: nothing,
});

/** The person requests printing, outside of the page. */
export const personAsked = message('print.person-asked', {
  direction: 'client-to-host',
  lane: 'control',
  params: nothing,
});

/** PDFs of the page will be made: its events must show a single print. */
export const printBegun = message('print.begun', {
  direction: 'host-to-page',
  lane: 'control',
  params: nothing,
  result: nothing,
});

/** Printing has ended, or does not start. */
export const printOver = message('print.over', { direction: 'host-to-page', lane: 'control', params: nothing });

/** Ask the person for print options; or show that printing is not allowed. */
export const printOpen = message('print.open', {
  direction: 'host-to-client',
  lane: 'control',
  params: v.object({ ...id.entries, allowed: v.boolean() }),
});

/** Printing has ended, with or without success: a page that waits for it continues. */
export const unblockPrint = message('unblock-print', { direction: 'client-to-host', lane: 'control', params: id });
