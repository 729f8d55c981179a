import { Snackbar } from '../../../core/index.ts';
import type { ClientScope } from '../../../core/index.ts';
import { textsOf } from './texts.ts';

/** Functions that tell the person something in a snackbar. */
interface Notices {
  /** The menu is turned off. */
  readonly blocked: () => void;
  readonly notSaved: () => void;
}

/** Makes the notices, with their texts. */
export async function makeNotices(scope: ClientScope): Promise<Notices> {
  const texts = await textsOf(scope);
  const snackbar = new Snackbar(scope);
  return {
    blocked: () => snackbar.show(texts.text('ID_SNACKBAR_CONTEXT_MENU_BLOCK')),
    notSaved: () => snackbar.show(texts.text('context-menu.not-saved')),
  };
}
