import { rendererToken } from '../../../core/index.ts';
import type { ActivateClient, ClientScope } from '../../../core/index.ts';
import { readPolicy } from '../policy.ts';
import type { CopyPaste } from '../policy.ts';
import { copied, COPY_FLAG_MS, displayCopyPasteModal, frameRules, refused } from '../protocol.ts';
import type { ShowRefusal } from './notices.ts';
import { watchDocument } from './watch-document.ts';

const MAIN_FRAME = 1;

/** A copy of the view: the text that it has put into the person's clipboard, and when. `hasLeft`: the focus has left the view since. */
interface ViewCopy {
  readonly text: string;
  readonly at: number;
  hasLeft: boolean;
}

/** State that copying and pasting share. */
export interface ClipboardSession {
  readonly scope: ClientScope;
  /** The policy of a frame; of the page, unless given. */
  policy(frame?: number): CopyPaste;
  /** Tells the person that something is not copied or pasted, and why (S-092); by which policy, where it is the client that refuses. */
  refuse: ShowRefusal;
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
  /**
   * Copies of the view that the page has not answered yet, the first one first. They outlast the focus, as an answer must not take the place of what the
   * person has copied elsewhere meanwhile.
   */
  readonly copies: ViewCopy[];
}

/** Copies from the view and pastes into it by whatever means the browser offers: keys, its menus, the page's own buttons. */
export const activate: ActivateClient = (scope) => {
  const { commands, session: facts, services } = scope;
  let notices: Promise<ShowRefusal> | undefined;
  let gestureAt = -Infinity;
  const rules = new Map<number, CopyPaste>();
  const session: ClipboardSession = {
    scope,
    policy: (frame = MAIN_FRAME) => {
      const policy = rules.get(frame) ?? readPolicy(facts.siteCapabilities()['copy_paste_policy']);
      if (policy.isUnreadable) reportPolicyError(scope);
      return policy;
    },
    refuse: (refusal, by) => {
      if (refusal.reason === 'no-policy') reportPolicyError(scope);
      notices ??= import('./notices.ts').then(({ makeNotices }) => makeNotices(scope));
      void notices.then((show) => show(refusal, by));
    },
    own: undefined,
    put: undefined,
    copies: [],
  };

  let copies = 0;
  commands.handle(copied, (content, body) => {
    const isExpected = performance.now() - gestureAt <= COPY_FLAG_MS;
    if (!isExpected || !session.policy().copy) {
      body.cancel();
      return;
    }
    const copy = (copies += 1);
    const answered = takeAnswered(session, content.text ?? '');
    const made = { put: answered?.text ?? session.put, hasLeft: answered?.hasLeft === true };
    session.put = undefined;
    void import('./outgoing.ts').then(({ keep }) => keep(session, content, body, made, () => copy === copies));
  });
  commands.handle(frameRules, ({ frame, rules: given }) => {
    if (given) rules.set(frame, given);
    else rules.delete(frame);
  });
  commands.handle(refused, (refusal) => session.refuse(refusal));
  commands.handle(displayCopyPasteModal, () => {
    void import('./keys-dialog.ts').then(({ showKeys }) => showKeys(scope));
  });

  const acted = (): void => {
    gestureAt = performance.now();
  };
  const renderer = services.get(rendererToken);
  const left = (): void => {
    // From one document of the view to another the focus is nowhere for a moment.
    setTimeout(() => {
      const { view } = renderer;
      const shell = view.ownerDocument;
      if (shell.hasFocus() && view.contains(shell.activeElement)) return;
      for (const copy of session.copies) copy.hasLeft = true;
    });
  };
  scope.onDispose(renderer.documents((view) => watchDocument(view, session, acted, left)));
};

/** The copy of the view that the page answers by a text: one of that text, else the first. It and those before are answered. */
function takeAnswered({ copies }: ClipboardSession, text: string): ViewCopy | undefined {
  const isLate = ({ at }: ViewCopy): boolean => performance.now() - at > COPY_FLAG_MS;
  while (copies[0] && isLate(copies[0])) copies.shift();
  const same = copies.findIndex((copy) => copy.text === text);
  return copies.splice(0, Math.max(0, same) + 1).at(-1);
}

function reportPolicyError({ events }: ClientScope): void {
  events.report('tc-copy-paste-policy-error', {}, { level: 'error' });
}
