import { hooksToken, rendererToken, SLOTS, textsToken } from '../../../core/index.ts';
import type { ActivateClient, SlotContribution } from '../../../core/index.ts';
import { searchCleared, searchEnd, searchMatches, searchQuery, searchReply, searchStart } from '../protocol.ts';
import type { StartKind } from '../protocol.ts';
import styles from './bar.css';
import type { FindBarProps } from './bar.tsx';
import { FindState } from './find-state.ts';
import { showMatches } from './matches.ts';
import type { ShownMatches } from './matches.ts';

const CATALOGUES = {
  en: () => import('./messages/en.ts'),
  de: () => import('./messages/de.ts'),
  ar: () => import('./messages/ar.ts'),
};

const bar: SlotContribution<FindBarProps> = { load: () => import('./bar.tsx'), styles: [styles], order: -100 };

/** Shows the bar when the person presses a shortcut that the page leaves to the browser, and marks what is found. */
export const activate: ActivateClient = async ({ commands, hooks, log, services, slots, onDispose }) => {
  const texts = services.get(textsToken);
  const renderer = services.get(rendererToken);
  await texts.load(CATALOGUES);
  let empty: (() => void) | undefined;
  let marks: Promise<ShownMatches> | undefined;

  const state: FindState = new FindState({
    search: (query) => commands.send(searchQuery, query),
    end: (reason) => commands.send(searchEnd, { reason }),
    close: () => {
      empty?.();
      empty = undefined;
    },
  });
  const withMarks = (use: (shown: ShownMatches) => void): void => {
    marks ??= renderer.highlighter().then(showMatches);
    marks.then(use).catch((thrown: unknown) => log.warn('the matches cannot be shown', { reason: String(thrown) }));
  };

  const start = (kind: StartKind, text: string): void => {
    empty ??= slots.fill(SLOTS.panel, bar, { state, texts });
    state.start(kind, text);
  };

  commands.handle(searchStart, ({ kind, text }) => start(kind, text));
  commands.handle(searchReply, (reply) => state.reply(reply));
  commands.handle(searchMatches, (matches) => {
    if (state.isSearching) withMarks((shown) => shown.set(matches)); // they wait for the mirror: the search may be over by now
  });
  commands.handle(searchCleared, () => {
    if (marks) withMarks((shown) => shown.clear());
  });
  hooks.tap(services.get(hooksToken).tabActions, ({ offer }) => {
    offer([
      {
        id: 'find.open',
        label: texts.text('find.title'),
        icon: 'search',
        group: 'page',
        order: 10,
        keys: 'Mod+F',
        act: () => start('new', ''),
      },
    ]);
  });
  onDispose(() => {
    empty?.();
    if (marks) withMarks((shown) => shown.clear());
  });
};
