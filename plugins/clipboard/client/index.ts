import { rendererToken } from '../../../core/index.ts';
import type { ActivateClient, ClientScope } from '../../../core/index.ts';
import { readPolicy } from '../policy.ts';
import type { CopyPaste } from '../policy.ts';
import { copied, COPY_FLAG_MS, displayCopyPasteModal, refused } from '../protocol.ts';
import type { Refusal } from '../protocol.ts';
import type { ShowRefusal } from './notices.ts';
import { watchDocument } from './watch-document.ts';

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
  const { commands, session: facts, services } = scope;
  let notices: Promise<ShowRefusal> | undefined;
  let gestureAt = -Infinity;
  const session: ClipboardSession = {
    scope,
    policy: () => {
      const policy = readPolicy(facts.siteCapabilities()['copy_paste_policy']);
      if (policy.isUnreadable) reportPolicyError(scope);
      return policy;
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

  const acted = (): void => {
    gestureAt = performance.now();
  };
  scope.onDispose(services.get(rendererToken).documents((view) => watchDocument(view, session, acted)));
};

function reportPolicyError({ events }: ClientScope): void {
  events.report('tc-copy-paste-policy-error', {}, { level: 'error' });
}
