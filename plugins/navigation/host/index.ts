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
  let isHinted = false;
  /** The navigation is over. Where the page has stayed, its failure has, too. */
  const unhint = (): void => {
    if (isHinted && course.problem) scope.commands.send(navigationFailed, course.problem);
    else if (isHinted) scope.commands.send(setUrlHint, {});
    isHinted = false;
  };

  scope.hooks.tap(scope.tab.hooks.navigated, ({ frame, sameDocument }) => {
    if (frame !== 1) return;
    if (!sameDocument) {
      // A failure may come after the start of the next navigation, which has removed the one before.
      isHinted ||= course.problem !== undefined;
      course.problem = undefined;
      course.adds = false;
      unhint();
    }
    history.follow(sameDocument);
  });
  scope.hooks.tap(scope.tab.hooks.navigationFailed, ({ frame, url, errorText, reason }) => {
    if (frame !== 1 || errorText === 'net::ERR_ABORTED') return; // superseded by another navigation, or a download
    course.problem = {
      url: url.slice(0, MAX_ADDRESS),
      failure: failureOf(errorText, reason?.code),
      detail: (reason ? `${errorText} (${reason.code})` : errorText).slice(0, 200),
    };
    isHinted = false;
    scope.commands.send(navigationFailed, course.problem);
  });
  scope.hooks.tap(scope.tab.hooks.replaced, () => {
    course.problem = undefined;
    history.renew(course.adds);
  });
  scope.hooks.tap(scope.tab.hooks.clientAttached, ({ fresh }) => {
    if (!fresh) return;
    history.forget();
    // The client's current entry is for the address that is loading.
    if (scope.tab.destination() === undefined) history.follow(false);
    if (course.problem) scope.commands.send(navigationFailed, course.problem);
  });
  // For missed changes, such as a new entry with the address of the previous one.
  scope.cdp.on('Page.frameStoppedLoading', ({ frameId }) => {
    if (scope.cdp.frameOf(frameId) !== 1) return;
    unhint(); // a download, or a page that has been stopped
    history.follow(false);
  });
  scope.cdp.on('Page.frameStartedNavigating', ({ frameId, url, navigationType }) => {
    if (scope.cdp.frameOf(frameId) !== 1 || /sameDocument$/i.test(navigationType)) return;
    course.adds = navigationType === 'differentDocument' && url !== scope.tab.url();
    if (!/^https?:/.test(url)) return;
    isHinted = true;
    scope.commands.send(setUrlHint, { url: url.slice(0, MAX_ADDRESS) });
  });
  handleNavigation(scope, course, history);
};
