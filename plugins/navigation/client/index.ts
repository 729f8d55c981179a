import { hooksToken, personHistoryToken, SLOTS, textsToken } from '../../../core/index.ts';
import type { ActivateClient, SlotContribution, Texts } from '../../../core/index.ts';
import { historyJump, navigate, navigationFailed, setUrlHint, updateNavbar } from '../protocol.ts';
import type { NavigationProblem } from '../protocol.ts';
import { ShellHistory } from './history.ts';
import type { EntryState } from './history.ts';
import type { Loading } from './loading.ts';

export interface FailurePageProps {
  readonly problem: NavigationProblem;
  readonly retry: () => void;
  readonly texts: Texts;
}

/** Synchronizes address and history with the page, and shows why a page could not be opened. */
export const activate: ActivateClient = (scope) => {
  const loaded = (performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming | undefined)?.type; // the only entry type
  const state: unknown = window.history.state; // before what the page's history makes of it
  const goTo = ({ hid, url }: EntryState): void => scope.commands.send(navigate, { kind: 'entry', entry: hid, url });
  const history = new ShellHistory(window, scope.session.prefix, goTo, loaded !== 'navigate');
  scope.services.provide(personHistoryToken, history);
  let loading: Promise<Loading> | undefined;
  const hint = (url?: string): void => {
    if (url) loading ??= import('./loading.ts').then((module) => new module.Loading(scope.slots));
    void loading?.then((each) => each.show(url));
  };
  const texts = scope.services.get(textsToken);
  const failurePage: SlotContribution<FailurePageProps> = {
    load: async () => (await import('./load-failure-page.ts')).loadFailurePage(texts),
  };
  let hideFailure: (() => void) | undefined;
  /** Address and detail of the failure that was shown last. */
  let last = '';
  const clear = (): void => {
    hideFailure?.();
    hideFailure = undefined;
  };

  scope.commands.handle(updateNavbar, (update) => history.inEntry(() => history.update(update)));
  scope.commands.handle(historyJump, (jump) => history.inEntry(() => history.jump(jump)));
  scope.commands.handle(setUrlHint, ({ url }) => {
    // A failure stays until the next document is there: what was shown before it has another address.
    if (!url) clear();
    hint(url);
  });
  scope.commands.handle(navigationFailed, (problem) => {
    const { url, failure, detail } = problem;
    hint();
    scope.events.report('tc-navigation-failed', { failure, detail }, { level: 'warning' });
    if (hideFailure && last === url + detail) return;
    clear();
    last = url + detail;
    const retry = (): void => {
      scope.commands.send(navigate, { kind: 'reload' });
    };
    hideFailure = scope.slots.fill(SLOTS.page, failurePage, { problem, retry, texts });
  });
  scope.hooks.tap(scope.services.get(hooksToken).tabActions, ({ offer }) => {
    offer(import('./tab-actions.ts').then(({ tabActions }) => tabActions(scope)));
  });
  scope.onDispose(() => {
    clear();
    hint();
  });

  window.addEventListener('popstate', (event) => history.moved(event.state), { signal: scope.signal });
  // A tab that has a new surrogate is loading the page anyway. An address that is typed again keeps the entry and its state.
  if (!scope.session.pairing.resumed || state === null) return;
  if (loaded === 'reload') scope.commands.send(navigate, { kind: 'reload' });
  else if (loaded === 'navigate') {
    const { href, origin } = window.location;
    scope.commands.send(navigate, { kind: 'address', url: href.slice(origin.length) });
  }
};
