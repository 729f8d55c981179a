import * as v from 'valibot';
import { serial, text } from '../../core/protocol/atoms.ts';
import { message } from '../../core/protocol/message.ts';

/** Longest text of a dialog that is shown, in UTF-16 units; the rest is cut in the host. */
export const MAX_DIALOG_TEXT = 10_000;

const id = serial;
const words = text(MAX_DIALOG_TEXT);

/** Those of Chromium, and the question whether a page that does not answer is to be stopped. */
const DIALOG_KINDS = ['alert', 'confirm', 'prompt', 'beforeunload', 'unresponsive'] as const;
export type DialogKind = (typeof DIALOG_KINDS)[number];

/** The page has opened a dialog and waits (S-128). */
export const dialogOpen = message('dialogs.open', {
  direction: 'host-to-client',
  lane: 'control',
  params: v.object({
    id,
    kind: v.picklist(DIALOG_KINDS),
    /** Host name of the page that asks, as the person should see it. */
    site: text(300),
    message: words,
    defaultText: words,
  }),
});
export type DialogRequest = v.InferOutput<typeof dialogOpen.params>;

/** The dialog is gone without the person's answer: the page has navigated or answers again, or the surrogate has died. */
export const dialogClose = message('dialogs.close', {
  direction: 'host-to-client',
  lane: 'control',
  params: v.object({ id }),
});

/** The person has closed an alert (S-127). */
export const alertDismiss = message('alert-dismiss', {
  direction: 'client-to-host',
  lane: 'control',
  params: v.object({ id }),
});

/** The person has answered a confirm, or the question whether to leave the page or to stop it (S-127). */
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
