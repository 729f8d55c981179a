import type { HostScope } from '../../../host/plugin.ts';
import { allowedLink, pageOfPath } from '../addresses.ts';
import { navigate } from '../protocol.ts';
import type { NavigationProblem } from '../protocol.ts';
import { askedAgain } from './ask-again.ts';
import type { ToldHistory } from './told-history.ts';

/** Where the page is going. */
export interface Course {
  /** It gets an entry of its own. */
  adds: boolean;
  /** The load that has failed, while nothing else is shown. */
  problem: NavigationProblem | undefined;
}

/** Takes the person's navigations to the page: to an address, to an entry of the history, and loading again (M-084). */
export function handleNavigation(scope: HostScope, course: Course, history: ToldHistory): void {
  const send: HostScope['cdp']['send'] = (...command) => askedAgain(scope, () => scope.cdp.send(...command));
  scope.commands.handle(navigate, async (request) => {
    switch (request.kind) {
      case 'address': {
        const url = pageOfPath(request.url) ?? allowedLink(request.url, scope.tab.url());
        if (url === undefined) return;
        course.adds = url !== scope.tab.url();
        if (await scope.tab.release(url)) await send(0, 'Page.navigate', { url });
        return;
      }
      case 'entry': {
        const url = request.url === undefined ? undefined : allowedLink(request.url, scope.tab.url());
        course.adds = false;
        if (!(await scope.tab.release(url ?? scope.tab.url()))) return;
        const entryId = history.idOf(request.entry);
        if (entryId !== undefined) {
          await send(0, 'Page.navigateToHistoryEntry', { entryId });
          return;
        }
        // An entry of a browser that is gone: its page is opened anew, in the place of what the shell has there.
        if (url === undefined) return;
        history.forgetLater();
        await send(0, 'Page.navigate', { url });
        return;
      }
      case 'reload':
        // Nothing has come yet, what was asked for is on its way: reloading the blank page would end that.
        if (/^(about:blank)?$/.test(scope.frames.get(1)?.url ?? '')) return;
        course.adds = false;
        if (!(await scope.tab.release(course.problem?.url ?? scope.tab.url()))) return;
        // A page that has failed is asked for again: reloading Chromium's own error page would not.
        if (course.problem) await send(0, 'Page.navigate', { url: course.problem.url });
        else await send(0, 'Page.reload');
    }
  });
}
