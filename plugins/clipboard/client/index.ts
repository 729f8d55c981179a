import { rendererToken } from '../../../core/index.ts';
import type { ActivateClient, ClientScope } from '../../../core/index.ts';
import { readPolicy } from '../policy.ts';
import type { CopyPaste } from '../policy.ts';
import { copied, COPY_FLAG_MS, displayCopyPasteModal, execCommand, refused } from '../protocol.ts';
import type { Refusal } from '../protocol.ts';
import { takePaste } from './incoming.ts';
import type { ShowRefusal } from './notices.ts';
import { selectedText } from './selection.ts';
import { Shortcuts } from './shortcuts.ts';

/** State that copying and pasting share. */
export interface ClipboardSession {
  readonly scope: ClientScope;
  policy(): CopyPaste;
  /** Tells the person that something is not copied or pasted, and why (S-092). */
  refuse(refusal: Refusal): void;
  /**
   * The text of what the page has copied last, as far as we know: the person's clipboard holds it. Empty: it is none, or the browser did
   * not let us put it there. Undefined: the person may have copied something elsewhere since.
   */
  own: string | undefined;
  /**
   * Text that the view itself has put into the person's clipboard, until the page answers the copy; empty where nothing was selected.
   * Undefined: the person has not just copied.
   */
  put: string | undefined;
}

/** Copies from the view and pastes into it by whatever means the browser offers: keys, its menus, the page's own buttons. */
export const activate: ActivateClient = (scope) => {
  const { commands, session: facts, services, events } = scope;
  let notices: Promise<ShowRefusal> | undefined;
  let gestureAt = -Infinity;
  const session: ClipboardSession = {
    scope,
    policy: () => {
      const told = readPolicy(facts.siteCapabilities()['copy_paste_policy']);
      if (told.isUnreadable) reportPolicyError(scope);
      return told;
    },
    refuse: (refusal) => {
      if (refusal.reason === 'no-policy') reportPolicyError(scope);
      notices ??= import('./notices.ts').then(({ makeNotices }) => makeNotices(scope));
      void notices.then((show) => show(refusal));
    },
    own: undefined,
    put: undefined,
  };

  let copies = 0;
  commands.handle(copied, (content, body) => {
    const isExpected = performance.now() - gestureAt <= COPY_FLAG_MS;
    if (!isExpected || !session.policy().copy) {
      body.cancel();
      return;
    }
    const copy = (copies += 1);
    const isThere = (content.text ?? '') === session.put;
    session.put = undefined;
    void import('./outgoing.ts').then(({ keep }) => keep(session, content, body, isThere, () => copy === copies));
  });
  commands.handle(refused, session.refuse);
  commands.handle(displayCopyPasteModal, () => {
    void import('./keys-dialog.ts').then(({ showKeys }) => showKeys(scope));
  });

  const watch = (document: Document): (() => void) => {
    const view = document.defaultView;
    if (!view) return () => undefined;
    const ending = new AbortController();
    // Before the core's listeners, which are the document's.
    const on = <K extends keyof WindowEventMap>(type: K, listener: (event: WindowEventMap[K]) => void): void =>
      view.addEventListener(type, listener, { capture: true, signal: ending.signal });
    const shortcuts = new Shortcuts();
    for (const type of ['keydown', 'mousedown', 'mouseup'] as const)
      on(type, ({ isTrusted }) => {
        if (isTrusted) gestureAt = performance.now();
      });
    on('keydown', (event) => {
      // Keys that the page is told of by what they do.
      if (shortcuts.press(event)) event.stopImmediatePropagation();
      if (shortcuts.pastes) commands.send(execCommand, { command: 'pre-paste', by_key: true });
    });
    on('keyup', () => shortcuts.release());
    for (const type of ['copy', 'cut'] as const)
      on(type, (event) => {
        // Not the view's HTML, whose addresses are ours. What the page has copied comes, and takes its place.
        event.preventDefault();
        if (!session.policy().copy) {
          session.refuse({ action: 'copy', reason: session.policy().isUnreadable ? 'no-policy' : 'policy' });
          return;
        }
        session.put = selectedText(document);
        if (session.put !== '') {
          session.own = session.put;
          event.clipboardData?.setData('text/plain', session.put);
        }
        if (!shortcuts.isForwarded) commands.send(execCommand, { command: type, by_key: false });
      });
    on('paste', (event) => {
      event.preventDefault();
      try {
        takePaste(session, event.clipboardData, shortcuts);
      } catch (thrown) {
        events.report('tc-paste-error', { why: String(thrown) }, { level: 'error' });
        session.refuse({ action: 'paste', reason: 'unusable' });
      }
    });
    on('dragstart', (event) => {
      if (!session.policy().copy) event.preventDefault();
    });
    on('blur', () => {
      session.own ||= undefined;
      session.put = undefined;
    });
    return () => ending.abort();
  };
  scope.onDispose(services.get(rendererToken).documents(({ document }) => watch(document)));
};

function reportPolicyError({ events }: ClientScope): void {
  events.report('tc-copy-paste-policy-error', {}, { level: 'error' });
}
