import type { Log } from '../../../core/contracts/scope.ts';
import { toAppError } from '../../../core/protocol/errors.ts';
import type { CdpSession } from '../../surrogate/cdp-session.ts';
import type { WorkKind } from '../../base/page-budgets.ts';
import type { Tab } from '../tab/tab.ts';

/** Functions of a session that the end of a page uses. */
interface EndPageOptions {
  readonly tabs: ReadonlyMap<string, Tab>;
  /** Opens a blank page. */
  readonly newPage: () => Promise<CdpSession>;
  readonly closePage: (page: CdpSession) => void;
  /** Continues a tab in another page, which stays blank without an address. */
  readonly open: (tab: Tab, page: CdpSession, url: string | undefined) => void;
  readonly closeTab: (tab: Tab, reason: string) => void;
  readonly log: Log;
}

/** Reasons for the log and for experts, by kind of work; the client has words of its own. */
const MESSAGES: Readonly<Record<WorkKind, string>> = {
  sanitizing: 'The page makes more content than can be made safe.',
  messages: 'The page sends more data to the host than it may.',
  fonts: 'The page shows more data of fonts than it may.',
  pictures: 'The page shows more data of pictures than it may.',
  names: 'The page connects to more servers than it may.',
  requests: 'The page has more open requests than it may.',
};

/**
 * Ends the page of a tab that is past its budgets: the tab goes on in a blank page, with the reason in place of the content. Other tabs
 * are not affected. Never rejects.
 */
export async function endPage(tab: Tab, kind: WorkKind, options: EndPageOptions): Promise<void> {
  const { tabs, newPage, closePage, open, closeTab, log } = options;
  const ended = tab.sessions.page;
  const { url } = tab;
  log.warn('page ended', { tab: tab.id, budget: kind });
  try {
    const page = await newPage();
    if (tabs.get(tab.id) !== tab || tab.sessions.page !== ended) return closePage(page); // it is over, or has another page by now
    tab.replaced(kind);
    open(tab, page, undefined);
    tab.load.stopped(url, { code: `budget-${kind}`, message: MESSAGES[kind] });
    if (ended) closePage(ended);
  } catch (thrown) {
    log.error('page not replaced', { tab: tab.id, error: toAppError(thrown).message });
    if (tabs.get(tab.id) === tab) closeTab(tab, `budget-${kind}`);
  }
}
