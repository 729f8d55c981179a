import { pageHistoryToken, withoutCredentials } from '../../../host/plugin.ts';
import type { ActivateHost } from '../../../host/plugin.ts';
import { failureOf } from '../failures.ts';
import { MAX_ADDRESS, navigationFailed, setUrlHint } from '../protocol.ts';
import { handleNavigation } from './persons-navigation.ts';
import type { Course } from './persons-navigation.ts';
import { ClientHistory } from './client-history.ts';

/**
 * Controls the page (M-084, M-089). Navigations of the person are sent to it; its own navigations update the shell's history; failed loads
 * are reported with the reason.
 */
export const activate: ActivateHost = (scope) => {
  const course: Course = { adds: false, problem: undefined };
  const history = new ClientHistory(scope);
  const sendProblem = (): void => {
    if (!course.problem) return;
    scope.commands.send(navigationFailed, { ...course.problem, url: withoutCredentials(course.problem.url) });
  };
  let isHinted = false;
  /** Time since which the main frame has its document. */
  let since = performance.now();
  const acted = (): boolean => scope.input.gesture.actedAt > since;
  /** A change that is no new document of the main frame: an entry of its own, one of another frame, or one that was missed. */
  const follow = (sameDocument: boolean): void => history.follow({ sameDocument, isLoaded: false, acted: acted() });
  /** The navigation is over. Where the page has stayed, its failure has, too. */
  const unhint = (): void => {
    if (isHinted && course.problem) scope.commands.send(navigationFailed, course.problem);
    else if (isHinted) scope.commands.send(setUrlHint, {});
    isHinted = false;
  };

  scope.hooks.tap(scope.tab.hooks.navigated, ({ frame, sameDocument }) => {
    if (frame !== 1 || sameDocument) return follow(true); // an embedded frame adds entries, too
    // A failure may come after the start of the next navigation, which has removed the one before.
    isHinted ||= course.problem !== undefined;
    course.problem = undefined;
    course.adds = false;
    queueMicrotask(unhint); // the document of an error is reported as such at once, and says it
    history.follow({ sameDocument, isLoaded: true, acted: acted() });
    since = performance.now();
  });
  scope.hooks.tap(scope.tab.hooks.navigationFailed, ({ frame, url, errorText, reason }) => {
    if (frame !== 1 || errorText === 'net::ERR_ABORTED') return; // superseded by another navigation, or a download
    const failure = failureOf(errorText, reason?.code);
    const { message } = scope.tab.policy().egress;
    course.problem = {
      url: url.slice(0, MAX_ADDRESS),
      failure,
      ...(failure === 'blocked-site' && message !== undefined && { words: message.slice(0, 2000) }),
      detail: (reason ? `${errorText} (${reason.code})` : errorText).slice(0, 200),
    };
    isHinted = false;
    sendProblem();
  });
  scope.hooks.tap(scope.tab.hooks.replaced, () => {
    course.problem = undefined;
    history.renew(course.adds);
  });
  scope.hooks.tap(scope.tab.hooks.clientAttached, ({ fresh }) => {
    if (!fresh) return;
    history.forget();
    // The client's current entry is for the address that is loading.
    if (scope.tab.destination() === undefined) follow(false);
    sendProblem();
  });
  scope.hooks.tap(scope.tab.hooks.policyChanged, () => history.refresh());
  // For missed changes, such as a new entry with the address of the previous one.
  scope.cdp.on('Page.frameStoppedLoading', ({ frameId }) => {
    if (scope.cdp.frameOf(frameId) !== 1) return follow(true);
    unhint(); // a download, or a page that has been stopped
    follow(false);
  });
  scope.cdp.on('Page.frameStartedNavigating', ({ frameId, url, navigationType }) => {
    if (scope.cdp.frameOf(frameId) !== 1 || /sameDocument$/i.test(navigationType)) return;
    course.adds = navigationType === 'differentDocument' && url !== scope.tab.url();
    if (!/^https?:/.test(url)) return;
    isHinted = true;
    scope.commands.send(setUrlHint, { url: withoutCredentials(url.slice(0, MAX_ADDRESS)) });
  });
  // The person may not want to leave the page.
  scope.cdp.on('Page.javascriptDialogClosed', ({ result }) => {
    if (!result) history.follow({ sameDocument: true, isLoaded: false, acted: acted(), stays: true });
  });
  scope.services.provide(pageHistoryToken, history);
  handleNavigation(scope, course, history, acted);
};
