import type { ActivateHost } from '../../../host/plugin.ts';
import { alertDismiss, confirmDismiss, dialogClose, dialogOpen, MAX_DIALOG_TEXT, promptDismiss } from '../protocol.ts';
import type { DialogRequest } from '../protocol.ts';

/** A dialog that is shown, and what the person's answer does. */
interface Shown {
  readonly request: DialogRequest;
  readonly settle: (accept: boolean, text?: string) => Promise<unknown>;
}

/**
 * Hands the page's JavaScript dialogs to the client, one at a time as Chromium does, and its answers to the page (S-128). A page that
 * hangs is offered to be stopped: that question has its own dialog, which no dialog of the page can be open beside.
 */
export const activate: ActivateHost = (scope) => {
  let shown: Shown | undefined;
  let isOpen = false;
  let last = 0;

  const show = (request: Omit<DialogRequest, 'id'>, settle: Shown['settle']): void => {
    gone();
    shown = { request: { ...request, id: ++last }, settle };
    scope.commands.send(dialogOpen, shown.request);
  };
  const gone = (): void => {
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
    gone();
  });
  // A page whose process has died does not say that its dialog is gone; what is loaded in its place does.
  scope.hooks.tap(scope.tab.hooks.navigated, ({ frame, sameDocument }) => {
    if (frame === 1 && !sameDocument) gone();
  });
  scope.hooks.tap(scope.tab.hooks.unresponsive, ({ frame, unresponsive }) => {
    if (!unresponsive) {
      if (shown?.request.kind === 'unresponsive') gone();
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
    if (shown?.request.id !== id) return; // answered or gone already
    const { settle } = shown;
    shown = undefined;
    settle(accept, text).catch((thrown: unknown) => {
      // The page may have gone in the meantime, and its dialog with it.
      scope.log.info('a dialog could not be answered', { reason: String(thrown) });
      // Or its next document is there already, and waits for the dialog.
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
 * What a person can recognise of an address: its host, or its scheme where it has none. The page is never named for a frame of it: the
 * frame may be in one of another site.
 */
function siteOf(url: string): string {
  const parsed = URL.parse(url);
  return (parsed?.host || URL.parse(parsed?.origin ?? '')?.host || parsed?.protocol || '').slice(0, 300);
}
