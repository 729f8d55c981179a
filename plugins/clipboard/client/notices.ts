import { Snackbar } from '../../../core/index.ts';
import type { ClientScope } from '../../../core/index.ts';
import type { CopyPaste } from '../policy.ts';
import type { Refusal } from '../protocol.ts';
import { refusalBy } from '../refusal.ts';
import { textsOf } from './texts.ts';

/** Shows a refusal; `by`: the policy that says so, where the refusal does not have what comes of it. */
export type ShowRefusal = (refusal: Refusal, by?: CopyPaste) => void;

/** Makes what tells the person that something is not copied or pasted, and why, in a snackbar. */
export async function makeNotices(scope: ClientScope): Promise<ShowRefusal> {
  const texts = await textsOf(scope);
  const snackbar = new Snackbar(scope);
  return (refusal, by) => {
    const { action, reason, site, limit } = by ? refusalBy(by, refusal.action, refusal.reason) : refusal;
    if (reason === 'no-policy') snackbar.show(texts.text('clipboard.no-policy'));
    else if (reason === 'unusable') snackbar.show(texts.text(`clipboard.${action}-failed`));
    else if (action === 'paste' && limit && site)
      snackbar.show(texts.text('clipboard.paste-limit-by', { limit, site }));
    else if (action === 'paste' && limit) snackbar.show(texts.text('clipboard.paste-limit', { limit }));
    else if (site) snackbar.show(texts.text(`clipboard.${action}-restricted-by`, { site }));
    else snackbar.show(texts.text(`clipboard.${action}-restricted`));
  };
}
