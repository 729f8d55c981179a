import * as v from 'valibot';
import { serial, text } from '../../core/protocol/atoms.ts';
import { message } from '../../core/protocol/message.ts';

/** Maximum length of a dialog's text, in UTF-16 units. The host cuts the rest. */
export const MAX_DIALOG_TEXT = 10_000;

const id = serial;
const words = text(MAX_DIALOG_TEXT);

/** Chromium's kinds, and the offer to stop a page that does not respond. */
const DIALOG_KINDS = ['alert', 'confirm', 'prompt', 'beforeunload', 'unresponsive'] as const;
export type DialogKind = (typeof DIALOG_KINDS)[number];

/** The page has opened a dialog and waits (S-128). */
export const dialogOpen = message('dialogs.open', {
  direction: 'host-to-client',
  lane: 'control',
  params: v.object({
    id,
    kind: v.picklist(DIALOG_KINDS),
    /** Host name of the page, as shown to the person; empty where its address has none. */
    site: text(300),
    message: words,
    defaultText: words,
  }),
});
export type DialogRequest = v.InferOutput<typeof dialogOpen.params>;

/** The dialog was closed without the person's answer: the page has navigated or responds again, or the surrogate has ended. */
export const dialogClose = message('dialogs.close', {
  direction: 'host-to-client',
  lane: 'control',
  params: v.object({ id }),
});

/** A site shows one dialog after the other: the person is asked whether it may go on. */
export const dialogFlood = message('dialogs.flood', {
  direction: 'host-to-client',
  lane: 'control',
  params: v.object({ id, site: text(300) }),
});

/** The dialog that the question was about is gone. */
export const dialogFloodOver = message('dialogs.flood-over', {
  direction: 'host-to-client',
  lane: 'control',
  params: v.object({}),
});

/** Whether that site may show no more dialogs. */
export const dialogsSilence = message('dialogs.silence', {
  direction: 'client-to-host',
  lane: 'control',
  params: v.object({ id, silenced: v.boolean() }),
});

/** The person has closed an alert (S-127). */
export const alertDismiss = message('alert-dismiss', {
  direction: 'client-to-host',
  lane: 'control',
  params: v.object({ id }),
});

/** The person has answered a confirm, or the question whether to leave or stop the page (S-127). */
export const confirmDismiss = message('confirm-dismiss', {
  direction: 'client-to-host',
  lane: 'control',
  params: v.object({ id, accepted: v.boolean() }),
});

/** The person has answered a prompt (S-127). */
export const promptDismiss = message('prompt-dismiss', {
  direction: 'client-to-host',
  lane: 'control',
  params: v.object({ id, accepted: v.boolean(), text: words }),
});
