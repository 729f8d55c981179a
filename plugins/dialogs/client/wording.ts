import type { DialogKind } from '../protocol.ts';

/** Ids of the texts of a dialog. */
interface Wording {
  readonly title: string;
  /** Replaces the page's text: browsers no longer let pages set the text of every dialog. */
  readonly message?: string;
  readonly accept: string;
  readonly dismiss?: string;
  readonly isDanger?: true;
}

/** Texts of dialogs by their kind. */
export const WORDING: Readonly<Record<DialogKind, Wording>> = {
  alert: { title: 'dialogs.says', accept: 'dialogs.ok' },
  confirm: { title: 'dialogs.asks', accept: 'dialogs.ok', dismiss: 'dialogs.cancel' },
  prompt: { title: 'dialogs.asks', accept: 'dialogs.ok', dismiss: 'dialogs.cancel' },
  beforeunload: {
    title: 'dialogs.leave-title',
    message: 'dialogs.leave-text',
    accept: 'dialogs.leave',
    dismiss: 'dialogs.stay',
  },
  unresponsive: {
    title: 'dialogs.hangs-title',
    message: 'dialogs.hangs-text',
    accept: 'dialogs.stop',
    dismiss: 'dialogs.wait',
    isDanger: true,
  },
};
