import { Snackbar } from '../../../core/index.ts';
import type { ClientScope } from '../../../core/index.ts';
import { readPolicy } from '../policy.ts';
import type { Refusal } from '../protocol.ts';
import { textsOf } from './texts.ts';

export type ShowRefusal = (refusal: Refusal) => void;

/** Makes what tells the person that something is not copied or pasted, and why, in a snackbar. */
export async function makeNotices(scope: ClientScope): Promise<ShowRefusal> {
  const texts = await textsOf(scope);
  const snackbar = new Snackbar(scope);
  return ({ action, reason }) => {
    const { pasteLimit: limit } = readPolicy(scope.session.siteCapabilities()['copy_paste_policy']);
    if (reason === 'no-policy') snackbar.show(texts.text('clipboard.no-policy'));
    else if (reason === 'unusable') snackbar.show(texts.text(`clipboard.${action}-failed`));
    else if (action === 'paste' && limit) snackbar.show(texts.text('clipboard.paste-limit', { limit }));
    else snackbar.show(texts.text(`clipboard.${action}-restricted`));
  };
}
