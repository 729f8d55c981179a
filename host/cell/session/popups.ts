import { isOpenable } from '../../addresses.ts';
import type { CdpSession } from '../../surrogate/cdp-session.ts';
import type { Tab } from '../tab/tab.ts';
import { quietly } from '../page/target-defaults.ts';

/** Time for a window that a page has opened to navigate to its address, in ms. */
const POPUP_DEADLINE_MS = 10_000;

/**
 * Handles a window that a page opens: its address is opened in the tab itself, and the window is closed. A window that
 * is opened blank runs, invisible, until it navigates.
 *
 * A feature that gives windows to the person would replace this: it would hold `popup`, which waits for the debugger,
 * ask the client, and make it the page of a tab of its own with `Tab.open`.
 */
export function followPopup(tab: Tab, popup: CdpSession, close: () => void): void {
  let isDone = false;
  const follow = (url: string): void => {
    if (isDone || url === 'about:blank' || !isOpenable(url)) return;
    isDone = true;
    close();
    tab.load.navigate(url);
  };
  popup.on('Page.frameRequestedNavigation', ({ url }) => follow(url));
  popup.on('Page.frameStartedNavigating', ({ url }) => follow(url));
  popup.on('Page.frameNavigated', ({ frame }) => {
    if (frame.parentId === undefined) follow(frame.url);
  });
  popup.on('Page.javascriptDialogOpening', () => quietly(popup.send('Page.handleJavaScriptDialog', { accept: false })));
  quietly(popup.send('Page.enable'));
  quietly(popup.send('Runtime.runIfWaitingForDebugger'));
  follow(popup.targetInfo?.url ?? '');
  const timer = setTimeout(() => {
    if (!isDone) close();
    isDone = true;
  }, POPUP_DEADLINE_MS);
  popup.closed.addEventListener('abort', () => clearTimeout(timer), { once: true });
}
