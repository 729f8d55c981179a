import type { ActivateHost, HostScope } from '../../../host/plugin.ts';
import { alertDismiss, confirmDismiss, dialogClose, dialogOpen, MAX_DIALOG_TEXT, promptDismiss } from '../protocol.ts';
import type { DialogRequest } from '../protocol.ts';

/** Hands the page's JavaScript dialogs to the client, one at a time as Chromium does, and its answers to the page (S-128). */
export const activate: ActivateHost = (scope) => {
  let open: DialogRequest | undefined;
  let last = 0;

  scope.cdp.on('Page.javascriptDialogOpening', ({ url, message, type, defaultPrompt }) => {
    open = {
      id: ++last,
      kind: type,
      site: siteOf(url),
      message: message.slice(0, MAX_DIALOG_TEXT),
      defaultText: (defaultPrompt ?? '').slice(0, MAX_DIALOG_TEXT),
    };
    scope.commands.send(dialogOpen, open);
  });
  const gone = (): void => {
    if (open) scope.commands.send(dialogClose, { id: open.id });
    open = undefined;
  };
  scope.cdp.on('Page.javascriptDialogClosed', gone);
  // A page whose process has died does not say that its dialog is gone; what is loaded in its place does.
  scope.hooks.tap(scope.tab.hooks.navigated, ({ frame, sameDocument }) => {
    if (frame === 1 && !sameDocument) gone();
  });
  scope.hooks.tap(scope.tab.hooks.clientAttached, ({ fresh }) => {
    if (fresh && open) scope.commands.send(dialogOpen, open);
  });

  const answer = (id: number, accept: boolean, promptText?: string): void => {
    if (open?.id !== id) return; // answered or gone already
    open = undefined;
    void settle(scope, accept, promptText);
  };
  scope.commands.handle(alertDismiss, ({ id }) => {
    answer(id, true);
  });
  scope.commands.handle(confirmDismiss, ({ id, accepted }) => {
    answer(id, accepted);
  });
  scope.commands.handle(promptDismiss, ({ id, accepted, text }) => {
    answer(id, accepted, text);
  });
};

async function settle(scope: HostScope, accept: boolean, promptText: string | undefined): Promise<void> {
  try {
    await scope.cdp.send(0, 'Page.handleJavaScriptDialog', {
      accept,
      ...(promptText === undefined ? {} : { promptText }),
    });
  } catch (thrown) {
    // The page may have gone in the meantime, and its dialog with it.
    scope.log.info('a dialog could not be answered', { reason: String(thrown) });
  }
}

/** What a person can recognise of an address: its host, or its scheme where it has none. */
function siteOf(url: string): string {
  const parsed = URL.parse(url);
  return (parsed?.host || parsed?.protocol || '').slice(0, 300);
}
