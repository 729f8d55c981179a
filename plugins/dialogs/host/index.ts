import type { ActivateHost } from '../../../host/plugin.ts';
import { alertDismiss, confirmDismiss, dialogClose, dialogOpen, MAX_DIALOG_TEXT, promptDismiss } from '../protocol.ts';
import type { DialogRequest } from '../protocol.ts';

/** An open dialog, and the effect of the person's answer. */
interface Shown {
  readonly request: DialogRequest;
  readonly settle: (accept: boolean, text?: string) => Promise<unknown>;
}

/**
 * Relays the page's JavaScript dialogs to the client, one at a time as in Chromium, and the answers to the page (S-128). Also offers to
 * stop a page that hangs: that is a separate dialog, and no dialog of the page can be open at the same time.
 */
export const activate: ActivateHost = (scope) => {
  let shown: Shown | undefined;
  let isOpen = false;
  let last = 0;

  const show = (request: Omit<DialogRequest, 'id'>, settle: Shown['settle']): void => {
    closeShown();
    shown = { request: { ...request, id: ++last }, settle };
    scope.commands.send(dialogOpen, shown.request);
  };
  const closeShown = (): void => {
    if (shown) scope.commands.send(dialogClose, { id: shown.request.id });
    shown = undefined;
  };

  scope.cdp.on('Page.javascriptDialogOpening', ({ url, message, type, defaultPrompt }) => {
    isOpen = true;
    show(
      {
        kind: type,
        site: siteOf(url),
        message: message.slice(0, MAX_DIALOG_TEXT),
        defaultText: (defaultPrompt ?? '').slice(0, MAX_DIALOG_TEXT),
      },
      (accept, promptText) =>
        scope.cdp.send(0, 'Page.handleJavaScriptDialog', {
          accept,
          ...(promptText === undefined ? {} : { promptText }),
        }),
    );
  });
  scope.cdp.on('Page.javascriptDialogClosed', () => {
    isOpen = false;
    closeShown();
  });
  // A page whose process has ended does not report that its dialog is closed; the load that replaces it does.
  scope.hooks.tap(scope.tab.hooks.navigated, ({ frame, sameDocument }) => {
    if (frame === 1 && !sameDocument) closeShown();
  });
  scope.hooks.tap(scope.tab.hooks.unresponsive, ({ frame, unresponsive }) => {
    if (!unresponsive) {
      if (shown?.request.kind === 'unresponsive') closeShown();
    } else if (!shown) {
      const site = siteOf(scope.frames.get(frame)?.url ?? '');
      show({ kind: 'unresponsive', site, message: '', defaultText: '' }, async (accept) => {
        if (accept) await scope.cdp.send(frame, 'Runtime.terminateExecution');
      });
    }
  });
  scope.hooks.tap(scope.tab.hooks.clientAttached, ({ fresh }) => {
    if (fresh && shown) scope.commands.send(dialogOpen, shown.request);
  });

  const answer = (id: number, accept: boolean, text?: string): void => {
    if (shown?.request.id !== id) return; // already answered or closed
    const { settle } = shown;
    shown = undefined;
    settle(accept, text).catch((thrown: unknown) => {
      // The page may have been closed in the meantime, together with its dialog.
      scope.log.info('a dialog could not be answered', { reason: String(thrown) });
      // Or its next document has already loaded and waits for the dialog.
      if (isOpen) void scope.tab.release();
    });
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

/**
 * The recognisable part of an address: its host, or its scheme where it has none. A frame is never shown under the page's name, because it
 * may belong to another site.
 */
function siteOf(url: string): string {
  const parsed = URL.parse(url);
  return (parsed?.host || URL.parse(parsed?.origin ?? '')?.host || parsed?.protocol || '').slice(0, 300);
}
