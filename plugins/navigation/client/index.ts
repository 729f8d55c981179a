import { hooksToken, SLOTS } from '../../../core/index.ts';
import type { ActivateClient, SlotContribution } from '../../../core/index.ts';
import { historyJump, navigate, navigationFailed, setUrlHint, updateNavbar } from '../protocol.ts';
import type { NavigationProblem } from '../protocol.ts';
import { ShellHistory } from './history.ts';
import { Loading } from './loading.ts';

export interface FailurePageProps {
  readonly problem: NavigationProblem;
  readonly retry: () => void;
}

const failurePage: SlotContribution<FailurePageProps> = { load: () => import('./failure-page.tsx') };

/** Synchronizes address and history with the page, and shows why a page could not be opened. */
export const activate: ActivateClient = (scope) => {
  const loaded = (performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming | undefined)?.type; // the only entry type
  const state: unknown = window.history.state; // before what the page's history makes of it
  const goTo = (entry: number, url: string): void => {
    scope.commands.send(navigate, { kind: 'entry', entry, url });
  };
  const history = new ShellHistory(window, scope.session.prefix, goTo, loaded === 'back_forward');
  const loading = new Loading(scope.slots);
  let hideFailure: (() => void) | undefined;
  const clear = (): void => {
    hideFailure?.();
    hideFailure = undefined;
  };

  scope.commands.handle(updateNavbar, (update) => {
    history.update(update);
  });
  scope.commands.handle(historyJump, (jump) => {
    history.jump(jump);
  });
  scope.commands.handle(setUrlHint, ({ url }) => {
    clear(); // also once the page is there, which may have been loading when this client attached
    if (url === undefined) loading.end();
    else loading.begin(url);
  });
  scope.commands.handle(navigationFailed, (problem) => {
    clear();
    loading.end();
    scope.events.report(
      'tc-navigation-failed',
      { failure: problem.failure, detail: problem.detail },
      { level: 'warning' },
    );
    const retry = (): void => {
      scope.commands.send(navigate, { kind: 'reload' });
    };
    hideFailure = scope.slots.fill(SLOTS.page, failurePage, { problem, retry });
  });
  scope.hooks.tap(scope.services.get(hooksToken).tabActions, ({ offer }) => {
    offer(import('./tab-actions.ts').then(({ tabActions }) => tabActions(scope)));
  });
  scope.onDispose(clear);
  scope.onDispose(() => loading.end());

  window.addEventListener('popstate', (event) => history.moved(event.state), { signal: scope.signal });
  // A tab that has a new surrogate is loading the page anyway. An address that is typed again keeps the entry and its state.
  if (!scope.session.pairing.resumed || state === null) return;
  if (loaded === 'reload') scope.commands.send(navigate, { kind: 'reload' });
  else if (loaded === 'navigate') {
    const { pathname, search, hash } = window.location;
    scope.commands.send(navigate, { kind: 'address', url: pathname + search + hash });
  }
};
