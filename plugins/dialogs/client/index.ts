import { slot, textsToken } from '../../../core/index.ts';
import type { ActivateClient, ClientScope, DialogProps, SlotContribution, Texts } from '../../../core/index.ts';
import { alertDismiss, confirmDismiss, dialogClose, dialogOpen, promptDismiss } from '../protocol.ts';
import type { DialogRequest } from '../protocol.ts';
import { handleFlood } from './flood.ts';
import { isShellHidden } from './shell-hidden.ts';

/** The person's answer to a dialog. */
export interface DialogOutcome {
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
  shown.get(request.id)?.abort(); // a client that has lost messages is shown it once more
  const closing = new AbortController();
  shown.set(request.id, closing);
  try {
    const outcome = await ask(scope, request, closing.signal);
    if (!closing.signal.aborted) answer(scope, request, outcome ?? { accepted: false, text: '' });
  } finally {
    if (shown.get(request.id) === closing) shown.delete(request.id);
  }
}

/** Shows the dialog in the page frame; where nothing of the shell is displayed, the person's browser shows it (S-017). */
async function ask(
  { services, slots }: ClientScope,
  request: DialogRequest,
  closing: AbortSignal,
): Promise<DialogOutcome | undefined> {
  const texts = services.get(textsToken);
  if (isShellHidden()) {
    const { askNatively } = await import('./native.ts');
    return closing.aborted ? undefined : askNatively(request, texts);
  }
  const role = request.kind === 'prompt' ? 'dialog' : 'alertdialog';
  return slots.ask(pageDialog, { ...contribution, role }, { request, texts }, closing);
}

function answer({ commands }: ClientScope, { id, kind }: DialogRequest, { accepted, text }: DialogOutcome): void {
  if (kind === 'alert') commands.send(alertDismiss, { id });
  else if (kind === 'prompt') commands.send(promptDismiss, { id, accepted, text });
  else commands.send(confirmDismiss, { id, accepted });
}
