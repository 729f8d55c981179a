import type { HostScope } from '../../../host/plugin.ts';
import { allowedPage, pageOfEntry } from '../addresses.ts';
import { navigate } from '../protocol.ts';
import type { NavigationProblem } from '../protocol.ts';
import { askedAgain } from './ask-again.ts';
import type { ClientHistory } from './client-history.ts';

/** Chromium's error text for an entry that is not in the history. */
const NO_ENTRY = /no entry with passed id/i;

/** State of the page's current navigation. */
export interface Course {
  /** Whether the page that is loading gets a new entry. */
  adds: boolean;
  /** The failed load, while nothing else is shown. */
  problem: NavigationProblem | undefined;
}

/**
 * Handles navigations of the person: to an address, to a history entry, and reloads (M-084). `acted` says whether the person has acted in the
 * document that the page shows.
 */
export function handleNavigation(scope: HostScope, course: Course, history: ClientHistory, acted: () => boolean): void {
  const send: HostScope['cdp']['send'] = (...command) => askedAgain(scope, () => scope.cdp.send(...command));
  const reload = async (): Promise<void> => {
    // Nothing has loaded yet, and the requested page is loading: reloading the blank page would cancel that.
    const isBlank = /^(about:blank)?$/.test(scope.frames.get(1)?.url ?? '');
    if (!course.problem && isBlank && (scope.tab.destination() ?? scope.tab.url()) !== 'about:blank') return;
    course.adds = false;
    if (!(await scope.tab.release(course.problem?.url ?? scope.tab.url()))) return;
    // Request a failed page again: a reload would only reload Chromium's own error page.
    if (course.problem) await send(0, 'Page.navigate', { url: course.problem.url });
    else await send(0, 'Page.reload');
  };
  /** Resolves with whether the page's history has the entry. */
  const goTo = async (entryId: number): Promise<boolean> => {
    try {
      await send(0, 'Page.navigateToHistoryEntry', { entryId });
      return true;
    } catch (thrown) {
      if (NO_ENTRY.test(String(thrown))) return false;
      throw thrown;
    }
  };
  scope.commands.handle(navigate, async (request) => {
    switch (request.kind) {
      case 'address': {
        const url = allowedPage(request.url, scope.tab.url());
        if (url === undefined) return;
        course.adds = url !== scope.tab.url();
        if (await scope.tab.release(url)) await send(0, 'Page.navigate', { url });
        return;
      }
      case 'entry': {
        const url = request.url === undefined ? undefined : pageOfEntry(request.url, scope.tab.url());
        course.adds = false;
        await history.moved(request.entry, acted(), async (target) => {
          const to = target && target.url !== '' ? pageOfEntry(target.url, '') : undefined;
          if (!(await scope.tab.release(to ?? url ?? scope.tab.url()))) return;
          if (target && (await goTo(target.id))) return;
          // An entry of a browser that has ended, or that the page has replaced: open its page again, in the shell's current entry.
          if (url === undefined) return;
          history.forgetLater();
          await send(0, 'Page.navigate', { url });
        });
        return;
      }
      case 'reload':
        await reload();
    }
  });
}
