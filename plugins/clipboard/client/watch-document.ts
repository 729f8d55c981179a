import type { ViewDocument } from '../../../core/index.ts';
import { execCommand } from '../protocol.ts';
import { takePaste } from './incoming.ts';
import type { ClipboardSession } from './index.ts';
import { selectedText } from './selection.ts';
import { Shortcuts } from './shortcuts.ts';

/** Copies of the view that may wait for the page's answer. */
const MAX_COPIES = 20;

/**
 * Listens to copying, cutting and pasting in a document of the view. Returns the undo.
 *
 * @param acted called at each act of the person: the page may copy in answer to it.
 * @param left called when the focus leaves the document.
 */
export function watchDocument(
  { document, frame }: ViewDocument,
  session: ClipboardSession,
  acted: () => void,
  left: () => void,
): () => void {
  const view = document.defaultView;
  if (!view) return () => undefined;
  const { commands } = session.scope;
  const ending = new AbortController();
  // Before the core's listeners, which are the document's.
  const on = <K extends keyof WindowEventMap>(type: K, listener: (event: WindowEventMap[K]) => void): void =>
    view.addEventListener(type, listener, { capture: true, signal: ending.signal });
  const shortcuts = new Shortcuts();
  for (const type of ['keydown', 'mousedown', 'mouseup'] as const)
    on(type, ({ isTrusted }) => {
      if (isTrusted) acted();
    });
  on('keydown', (event) => {
    // Keys whose effect is sent to the page instead of the key.
    if (shortcuts.press(event)) event.stopImmediatePropagation();
    if (shortcuts.pastes) commands.send(execCommand, { command: 'pre-paste', by_key: true });
  });
  on('keyup', () => shortcuts.release());
  for (const type of ['copy', 'cut'] as const)
    on(type, (event) => {
      acted(); // by a menu, too
      takeCopy(event, type, { document, frame }, session, shortcuts);
    });
  on('paste', (event) => {
    event.preventDefault();
    try {
      takePaste(session, event.clipboardData, frame, shortcuts);
    } catch (thrown) {
      session.scope.events.report('tc-paste-error', { why: String(thrown) }, { level: 'error' });
      session.refuse({ action: 'paste', reason: 'unusable' });
    }
  });
  on('dragstart', (event) => {
    if (!session.policy(frame).copy) event.preventDefault();
  });
  on('blur', ({ target }) => {
    session.own ||= undefined;
    session.put = undefined;
    if (target === view) left();
  });
  return () => ending.abort();
}

/** Copies the selected text at once, not the view's HTML, whose addresses are ours. What the page itself copies comes later and takes its place. */
function takeCopy(
  event: ClipboardEvent,
  command: 'copy' | 'cut',
  { document, frame }: ViewDocument,
  session: ClipboardSession,
  shortcuts: Shortcuts,
): void {
  event.preventDefault();
  const rules = session.policy(frame);
  if (!rules.copy) {
    session.refuse({ action: 'copy', reason: rules.isUnreadable ? 'no-policy' : 'policy' }, rules);
    return;
  }
  session.put = selectedText(document);
  if (session.copies.length >= MAX_COPIES) session.copies.shift();
  session.copies.push({ text: session.put, at: performance.now(), hasLeft: false });
  if (session.put !== '') {
    session.own = session.put;
    event.clipboardData?.setData('text/plain', session.put);
  }
  if (!shortcuts.isForwarded) session.scope.commands.send(execCommand, { command, by_key: false });
}
