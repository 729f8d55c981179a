import type { Protocol } from 'devtools-protocol/types/protocol.js';
import type { ActivateHost, HostScope } from '../../../host/plugin.ts';
import { allowedLink, pageOfPath } from '../addresses.ts';
import { failureOf } from '../failures.ts';
import { EntryNames } from './entry-names.ts';
import { historyJump, MAX_ADDRESS, navigate, navigationFailed, setUrlHint, updateNavbar } from '../protocol.ts';
import type { NavigationProblem } from '../protocol.ts';

/** The page's history as last sent to the client. */
interface Known {
  readonly ids: readonly number[];
  readonly index: number;
  readonly url: string;
}

/** Options of a history update to the client. */
interface UpdateOptions {
  readonly sameDocument: boolean;
  readonly names: EntryNames;
  /** Kind of update for a new browser's first entry, until the client has received one. */
  readonly begins: 'add' | 'replace' | undefined;
}

/** A page that changes to another process has none for a moment: delay before a retry, in ms, and maximum number of attempts. */
const ASK_AGAIN_MS = 50;
const MAX_ASKED = 40;
const BLANK = 'about:blank';
/** Chromium's error text for it. */
const NO_PROCESS = /not attached to an active page/i;

/**
 * Controls the page (M-084, M-089). Navigations of the person are sent to it; its own navigations update the shell's history; failed loads
 * are reported with the reason.
 */
export const activate: ActivateHost = (scope) => {
  let known: Known | undefined;
  let problem: NavigationProblem | undefined;
  /** Whether the page that is loading gets a new entry. */
  let adds = false;
  let begins: UpdateOptions['begins'] = 'replace';
  let reading: Promise<void> = Promise.resolve();
  const names = new EntryNames();

  /** Compares the page's history with the one the client knows; one at a time, so that changes keep their order. */
  const follow = (sameDocument: boolean): void => {
    reading = reading.then(async () => {
      try {
        known = await sendChanges(scope, known, { sameDocument, names, begins });
        if (known) begins = undefined;
      } catch (thrown) {
        scope.log.info('the history could not be read', { reason: String(thrown) });
      }
    });
  };

  scope.hooks.tap(scope.tab.hooks.navigated, ({ frame, sameDocument }) => {
    if (frame !== 1) return;
    if (!sameDocument) {
      problem = undefined;
      adds = false;
    }
    follow(sameDocument);
  });
  scope.hooks.tap(scope.tab.hooks.navigationFailed, ({ frame, url, errorText, reason }) => {
    if (frame !== 1 || errorText === 'net::ERR_ABORTED') return; // superseded by another navigation, or a download
    problem = {
      url: url.slice(0, MAX_ADDRESS),
      failure: failureOf(errorText, reason?.code),
      detail: (reason ? `${errorText} (${reason.code})` : errorText).slice(0, 200),
    };
    scope.commands.send(navigationFailed, problem);
  });
  scope.hooks.tap(scope.tab.hooks.replaced, () => {
    problem = undefined;
    const isNew = adds;
    reading = reading.then(() => {
      begins = isNew && known ? 'add' : 'replace';
      known = undefined;
      names.renew();
    });
  });
  scope.hooks.tap(scope.tab.hooks.clientAttached, ({ fresh }) => {
    if (!fresh) return;
    known = undefined;
    // The client's current entry is for the address that is loading.
    if (scope.tab.destination() === undefined) follow(false);
    if (problem) scope.commands.send(navigationFailed, problem);
  });
  // For missed changes, such as a new entry with the address of the previous one.
  scope.cdp.on('Page.frameStoppedLoading', ({ frameId }) => {
    if (scope.cdp.frameOf(frameId) === 1) follow(false);
  });
  scope.cdp.on('Page.frameStartedNavigating', ({ frameId, url, navigationType }) => {
    if (scope.cdp.frameOf(frameId) !== 1 || /sameDocument$/i.test(navigationType)) return;
    adds = navigationType === 'differentDocument' && url !== scope.tab.url();
    if (/^https?:/.test(url)) scope.commands.send(setUrlHint, { url: url.slice(0, MAX_ADDRESS) });
  });
  const send: HostScope['cdp']['send'] = (...command) => asked(scope, () => scope.cdp.send(...command));
  scope.commands.handle(navigate, async (request) => {
    switch (request.kind) {
      case 'address': {
        const url = pageOfPath(request.url) ?? allowedLink(request.url, scope.tab.url());
        if (url === undefined) return;
        adds = url !== scope.tab.url();
        if (await scope.tab.release(url)) await send(0, 'Page.navigate', { url });
        return;
      }
      case 'entry': {
        const url = request.url === undefined ? undefined : allowedLink(request.url, scope.tab.url());
        adds = false;
        if (!(await scope.tab.release(url ?? scope.tab.url()))) return;
        const entryId = names.idOf(request.entry);
        if (entryId !== undefined) {
          await send(0, 'Page.navigateToHistoryEntry', { entryId });
          return;
        }
        // An entry of a browser that has ended: open its page again, in the shell's current entry.
        if (url === undefined) return;
        reading = reading.then(() => {
          known = undefined;
        });
        await send(0, 'Page.navigate', { url });
        return;
      }
      case 'reload':
        // Nothing has loaded yet, and the requested page is loading: reloading the blank page would cancel that.
        if (/^(about:blank)?$/.test(scope.frames.get(1)?.url ?? '')) return;
        adds = false;
        if (!(await scope.tab.release(problem?.url ?? scope.tab.url()))) return;
        // Request a failed page again: a reload would only reload Chromium's own error page.
        if (problem) await send(0, 'Page.navigate', { url: problem.url });
        else await send(0, 'Page.reload');
    }
  });
};

/** Retries while the page changes to another process. */
async function asked<T>({ signal }: HostScope, send: () => Promise<T>): Promise<T> {
  for (let times = 1; ; times++) {
    try {
      return await send();
    } catch (thrown) {
      if (!NO_PROCESS.test(String(thrown)) || times === MAX_ASKED || signal.aborted) throw thrown;
      await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
    }
  }
}

/** Returns the page's history once its entry matches the document: the page's process reports a navigation before the browser knows it. */
async function historyOf(scope: HostScope): Promise<Protocol.Page.GetNavigationHistoryResponse> {
  for (let times = 1; ; times++) {
    const history = await asked(scope, () => scope.cdp.send(0, 'Page.getNavigationHistory'));
    const shown = scope.frames.get(1)?.url ?? '';
    const known = history.entries[history.currentIndex]?.url.slice(0, MAX_ADDRESS);
    if (!/^https?:/.test(shown) || shown === known || times === MAX_ASKED || scope.signal.aborted) return history;
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
  }
}

/** Reads the page's history, sends the changes since `known` to the client, and returns the new state. */
async function sendChanges(
  scope: HostScope,
  known: Known | undefined,
  { sameDocument, names, begins }: UpdateOptions,
): Promise<Known | undefined> {
  const { entries, currentIndex } = await historyOf(scope);
  const current = entries[currentIndex];
  if (!current) return known;
  const url = current.url.slice(0, MAX_ADDRESS);
  const next: Known = { ids: entries.map(({ id }) => id), index: currentIndex, url };
  const before = known?.ids[known.index];
  if (known && current.id === before && url === known.url) return next;
  const place = known?.ids.indexOf(current.id) ?? -1;
  if (known && place >= 0 && current.id !== before) {
    scope.commands.send(historyJump, { hid: names.of(current.id), url, delta: place - known.index });
    return next;
  }
  // A new browser starts with a blank page that the person has not opened.
  const blank = scope.tab.url() === BLANK ? 0 : entries.findIndex((entry) => entry.url !== BLANK);
  if (begins && blank < 0) return undefined;
  const from = begins ? blank - 1 : before === undefined ? -1 : next.ids.indexOf(before);
  if (begins || (place < 0 && from >= 0)) {
    // There may be several new entries: the client gets an entry for each, in order.
    const kind = sameDocument ? 'pushstate' : 'add';
    for (const [nth, { id, url: each }] of entries.slice(from + 1).entries())
      scope.commands.send(updateNavbar, {
        kind: (nth === 0 && begins) || kind,
        hid: names.of(id),
        url: each.slice(0, MAX_ADDRESS),
      });
    const delta = currentIndex - (entries.length - 1);
    if (delta < 0) scope.commands.send(historyJump, { hid: names.of(current.id), url, delta });
    return next;
  }
  scope.commands.send(updateNavbar, {
    kind: sameDocument ? 'replacestate' : 'replace',
    hid: names.of(current.id),
    url,
  });
  return next;
}
