import type { ActivateHost, HostScope } from '../../../host/plugin.ts';
import { MAX_DIALOG_TEXT } from '../protocol.ts';
import type { DialogRequest } from '../protocol.ts';
import { floodQuestion } from './flood-question.ts';
import { DialogFlood } from './flood.ts';
import { shownDialog } from './shown-dialog.ts';
import type { Settle } from './shown-dialog.ts';

/**
 * Relays the page's JavaScript dialogs to the client, one at a time as in Chromium, and the answers to the page (S-128). Also offers to
 * stop a page that hangs: that is a separate dialog, and no dialog of the page can be open at the same time.
 */
export const activate: ActivateHost = (scope) => {
  const flood = new DialogFlood(scope.input.gesture);
  const question = floodQuestion(scope);
  /** The dialog that is open takes no answer: leaves it. The page goes on as if the person had cancelled. */
  const leave = (thrown: unknown): void => {
    // The page may have been closed in the meantime, together with its dialog.
    scope.log.info('a dialog could not be answered', { reason: String(thrown) });
    // Or its next document has already loaded and waits for the dialog, or Chromium does not know it any more.
    if (open > 0) void scope.tab.release();
  };
  const shown = shownDialog(scope, leave);
  /** Number of dialogs that are open in Chromium: two where another frame opens one before the first is closed. */
  let open = 0;
  /** Kind of the last one that was opened. */
  let newest: DialogRequest['kind'] | undefined;
  /** Number of the dialog whose site is looked for: another one, or its end, makes it void. */
  let begun = 0;
  let asked = 0;

  const close = (): void => {
    question.close();
    shown.close();
  };
  const opened = (request: Omit<DialogRequest, 'id'>): void => {
    const { kind, site } = request;
    const settle: Settle = (accept, promptText) =>
      scope.cdp.send(0, 'Page.handleJavaScriptDialog', { accept, ...(promptText === undefined ? {} : { promptText }) });
    const go = (silenced: boolean): void => {
      if (silenced) return void settle(false).catch(leave);
      question.close();
      shown.show(request, settle);
    };
    // The person has asked to leave: a page cannot ask that again and again by itself.
    const verdict = kind === 'beforeunload' ? 'show' : flood.look(site);
    if (verdict !== 'ask') return go(verdict === 'close');
    close();
    const decided = (silenced: boolean): void => {
      flood.decide(site, silenced);
      go(silenced);
    };
    question.ask({ id: ++asked, site, decided });
  };
  scope.cdp.on('Page.javascriptDialogOpening', (opening) => {
    open += 1;
    const number = ++begun;
    const request = requestOf(opening);
    newest = request.kind;
    if (request.site !== '') return opened(request);
    close();
    void inheritedSite(scope, opening.frameId).then((site) => {
      if (number === begun && open > 0) opened({ ...request, site });
    });
  });
  scope.cdp.on('Page.javascriptDialogClosed', () => {
    open = Math.max(0, open - 1);
    if (open === 0) begun += 1;
    // Chromium closes a dialog for that of another frame, as browsers do, and takes no answer to that one then. An alert needs none.
    if (open === 0) close();
    else if (newest !== 'alert') leave('another was open before it');
  });
  // A page whose process has ended does not report that its dialog is closed; the load that replaces it does.
  scope.hooks.tap(scope.tab.hooks.navigated, ({ frame, sameDocument }) => {
    if (frame !== 1 || sameDocument) return;
    flood.navigated();
    open = 0;
    begun += 1;
    close();
  });
  scope.hooks.tap(scope.tab.hooks.unresponsive, ({ frame, unresponsive }) => {
    if (!unresponsive) {
      if (shown.kind() === 'unresponsive') close();
    } else if (shown.kind() === undefined) {
      const site = siteOf(scope.frames.get(frame)?.url ?? '');
      shown.show({ kind: 'unresponsive', site, message: '', defaultText: '' }, async (accept) => {
        if (accept) await scope.cdp.send(frame, 'Runtime.terminateExecution');
      });
    }
  });
};

interface Opening {
  readonly url: string;
  readonly message: string;
  readonly type: DialogRequest['kind'];
  readonly defaultPrompt?: string | undefined;
}

function requestOf({ url, message, type, defaultPrompt }: Opening): Omit<DialogRequest, 'id'> {
  return {
    kind: type,
    site: siteOf(url),
    message: message.slice(0, MAX_DIALOG_TEXT),
    defaultText: (defaultPrompt ?? '').slice(0, MAX_DIALOG_TEXT),
  };
}

/**
 * The site of a document without an address of its own (`about:srcdoc`, `about:blank`), as the browser's own process knows it: that of the
 * page which wrote it. Empty for a sandboxed one, and where nothing is known. Never rejects.
 */
async function inheritedSite(
  { cdp, frames }: Pick<HostScope, 'cdp' | 'frames'>,
  frameId: string | undefined,
): Promise<string> {
  const frame = frameId === undefined ? undefined : cdp.frameOf(frameId);
  return frame === undefined ? '' : siteOf(await frames.originOf(frame).catch(() => ''));
}

/**
 * The recognisable part of an address: its host; empty where it has none. A frame is never shown under the page's name, because it may
 * belong to another site.
 */
function siteOf(url: string): string {
  const parsed = URL.parse(url);
  return (parsed?.host || URL.parse(parsed?.origin ?? '')?.host || '').slice(0, 300);
}
