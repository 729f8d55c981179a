import type { Log } from '../../../core/contracts/scope.ts';
import { AppError, toAppError } from '../../../core/protocol/errors.ts';
import type { CdpSession } from '../../surrogate/cdp-session.ts';
import { CrashCount } from '../tab/crash-count.ts';
import type { Tab } from '../tab/tab.ts';
import type { SessionBrowser } from './session-browser.ts';

/** Functions of a session that the recovery of its tabs uses. */
interface TabRecoveryOptions {
  readonly cid: string;
  readonly browser: SessionBrowser;
  readonly tabs: ReadonlyMap<string, Tab>;
  readonly mayRestoreTabs: () => boolean;
  /** A discarded tab has lost nothing, and comes back by itself. */
  readonly isDiscarded: (tab: Tab) => boolean;
  /** Continues a tab in another page, which stays blank without an address. */
  readonly open: (tab: Tab, page: CdpSession, url: string | undefined) => void;
  readonly closeTab: (tab: Tab, reason: string) => void;
  readonly onCrash: () => void;
  readonly log: Log;
}

/**
 * Continues tabs in other pages, or in another browser, after a crash, within the limits of the policy and of their
 * number.
 */
export class TabRecovery {
  readonly #options: TabRecoveryOptions;
  readonly #crashes = new CrashCount();
  /** Pages that were replaced, or are being replaced. */
  readonly #replaced = new WeakSet<CdpSession>();
  /** Tabs whose browser is lost: the reason, and the address to restore once a client attaches. */
  readonly #adrift = new Map<Tab, { readonly why: string; readonly url: string }>();
  #isRestoring = false;

  constructor(options: TabRecoveryOptions) {
    this.#options = options;
  }

  /** A client has attached to the tab. */
  attached(tab: Tab): void {
    if (this.#adrift.has(tab)) this.#bringBack();
  }

  /** The tab has ended. */
  forget(tab: Tab): void {
    this.#adrift.delete(tab);
  }

  /** The browser is lost: all tabs of this person, and of no other, continue in another one. */
  browserLost(why: string): void {
    const { tabs, mayRestoreTabs, isDiscarded, onCrash } = this.#options;
    onCrash();
    const mayRestore = mayRestoreTabs() && (tabs.size === 0 || this.#crashes.mayRestore());
    for (const tab of tabs.values()) {
      if (isDiscarded(tab)) continue;
      if (!mayRestore) this.#giveUp(tab, why);
      else if (!this.#adrift.has(tab)) this.#adrift.set(tab, { why, url: tab.load.destination ?? tab.url });
    }
    this.#bringBack();
  }

  /** Replaces the page of a tab that has crashed, or does not respond, where that is permitted. */
  replacePage(tab: Tab): void {
    const { cid, log, onCrash, mayRestoreTabs } = this.#options;
    const { page } = tab.sessions;
    if (!page || this.#replaced.has(page)) return;
    this.#replaced.add(page);
    const { destination } = tab.load;
    log.error('page crashed', { cid, tab: tab.id });
    onCrash();
    if (mayRestoreTabs() && tab.crashed()) this.#reopen(tab, page, destination);
    else this.#giveUp(tab, 'crashed');
  }

  #bringBack(): void {
    if (this.#isRestoring) return;
    this.#isRestoring = true;
    void this.#restore();
  }

  /**
   * Restores the tabs with a client, one after the other; the others would use a browser without need. The browser in
   * which they are restored may be lost as well.
   */
  async #restore(): Promise<void> {
    const { cid, browser, open, log } = this.#options;
    const attached = () => [...this.#adrift].find(([{ channel }]) => channel.attached);
    try {
      for (let next = attached(); next; next = attached()) {
        const [tab, { why, url }] = next;
        try {
          const page = await browser.openPage();
          page.closed.throwIfAborted();
          if (!browser.current) throw new AppError('cdp-closed', 'The surrogate is gone.', { retryable: true }); // one that hangs closes late
          if (this.#adrift.delete(tab)) {
            if (browser.endReason === 'disk') {
              // They would fill the disk again: the person decides.
              tab.replaced('disk');
              open(tab, page, undefined);
              tab.load.stopped(url, { code: 'budget-disk', message: 'The pages have stored too much.' });
            } else {
              tab.lost(why, true);
              open(tab, page, tab.load.destination ?? url); // the person may have typed another address meanwhile
            }
          } else browser.closePage(page); // the tab was closed meanwhile
        } catch (thrown) {
          const { code, message } = toAppError(thrown);
          if (!this.#adrift.has(tab) || (code === 'cdp-closed' && !browser.current)) continue; // with the next browser, while losses are few
          log.error('tab not restored', { cid, tab: tab.id, error: message });
          this.#giveUp(tab, why);
        }
      }
    } finally {
      this.#isRestoring = false; // at once: a client that attaches from now on begins anew
    }
  }

  #giveUp(tab: Tab, why: string): void {
    tab.lost(why, false);
    this.#options.closeTab(tab, why);
  }

  /** The renderer has crashed on its way to `destination`, if any, its browser has not: a new page replaces it. */
  #reopen(tab: Tab, crashed: CdpSession, destination: string | undefined): void {
    const { cid, browser, tabs, open, log } = this.#options;
    // The spare page may have crashed with the same renderer, or may be about to.
    browser.newPage().then(
      (page) => {
        const { targets } = browser;
        if (tabs.get(tab.id) !== tab || !targets) {
          targets?.close(page);
          return;
        }
        const { ended } = tab.load;
        if (ended && (tab.load.destination ?? destination) === undefined) {
          // It was blank, in the place of a page that was ended: that one is not opened again.
          tab.replaced('crashed');
          open(tab, page, undefined);
          tab.load.stopped(...ended);
        } else this.#openAgain(tab, page, destination);
        targets.close(crashed);
      },
      (thrown: unknown) => {
        log.error('tab not restored', { cid, tab: tab.id, error: toAppError(thrown).message });
        if (browser.current) this.#giveUp(tab, 'crashed'); // otherwise the whole browser is being replaced
      },
    );
  }

  #openAgain(tab: Tab, page: CdpSession, destination: string | undefined): void {
    tab.lost('crashed', true);
    // The browser knows the address of a page that has crashed, too: what was asked about it is answered by now.
    this.#options.open(tab, page, tab.load.destination ?? destination ?? tab.url);
  }
}
