import { slot, textsToken } from '../../../core/index.ts';
import type { ActivateClient, ClientScope, DialogProps, SlotContribution, Texts } from '../../../core/index.ts';
import { alertDismiss, confirmDismiss, dialogClose, dialogOpen, promptDismiss } from '../protocol.ts';
import type { DialogRequest } from '../protocol.ts';
import { handleFlood } from './flood.ts';

/** The person's answer to a dialog. */
interface DialogOutcome {
  readonly accepted: boolean;
  readonly text: string;
}

export type PageDialogProps = {
  readonly request: DialogRequest;
  readonly texts: Texts;
} & DialogProps<DialogOutcome>;

const pageDialog = slot<PageDialogProps>('dialogs.page', 'dialog');
const contribution: SlotContribution<PageDialogProps> = { load: () => import('./page-dialog.tsx') };

const CATALOGUES = {
  en: () => import('./messages/en.ts'),
  de: () => import('./messages/de.ts'),
  ar: () => import('./messages/ar.ts'),
};

/** Shows dialogs of the page in the page frame and sends the answers to the host (S-016, S-127). */
export const activate: ActivateClient = async (scope) => {
  await scope.services.get(textsToken).load(CATALOGUES);
  handleFlood(scope);
  const shown = new Map<number, AbortController>();
  scope.commands.handle(dialogOpen, (request) => {
    void show(scope, request, shown);
  });
  scope.commands.handle(dialogClose, ({ id }) => {
    shown.get(id)?.abort();
  });
  scope.onDispose(() => {
    for (const closing of shown.values()) closing.abort();
  });
};

async function show(scope: ClientScope, request: DialogRequest, shown: Map<number, AbortController>): Promise<void> {
  const closing = new AbortController();
  shown.set(request.id, closing);
  const texts = scope.services.get(textsToken);
  try {
    const outcome = isShellHidden()
      ? native(request, texts)
      : await scope.slots.ask(
          pageDialog,
          { ...contribution, role: request.kind === 'prompt' ? 'dialog' : 'alertdialog' },
          { request, texts },
          closing.signal,
        );
    if (!closing.signal.aborted) answer(scope, request, outcome ?? { accepted: false, text: '' });
  } finally {
    shown.delete(request.id);
  }
}

function answer({ commands }: ClientScope, { id, kind }: DialogRequest, { accepted, text }: DialogOutcome): void {
  if (kind === 'alert') commands.send(alertDismiss, { id });
  else if (kind === 'prompt') commands.send(promptDismiss, { id, accepted, text });
  else commands.send(confirmDismiss, { id, accepted });
}

/** Whether the shell's body is not displayed. Then our dialogs would be invisible, and the browser's own are used (S-017). */
function isShellHidden(): boolean {
  return getComputedStyle(document.body).display === 'none';
}

function native({ kind, message, defaultText }: DialogRequest, texts: Texts): DialogOutcome {
  if (kind === 'unresponsive') return { accepted: window.confirm(texts.text('dialogs.hangs-text')), text: '' };
  if (kind === 'prompt') {
    const text = window.prompt(message, defaultText);
    return { accepted: text !== null, text: text ?? '' };
  }
  if (kind === 'alert') {
    window.alert(message);
    return { accepted: true, text: '' };
  }
  return { accepted: window.confirm(message), text: '' };
}
