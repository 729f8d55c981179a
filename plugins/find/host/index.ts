import type { ActivateHost } from '../../../host/plugin.ts';
import {
  pageAsked,
  pageChanged,
  pageEnd,
  pageSearch,
  pageShown,
  searchEnd,
  searchQuery,
  searchStart,
} from '../protocol.ts';
import type { EndReason } from '../protocol.ts';
import { Search } from './search.ts';
import type { Query } from './search.ts';

const NOTHING = { text: '', matchCase: false, wholeWords: false, matchDiacritics: false };

/** Searches the frames of the page for the person, one search at a time, and opens the bar when they ask for it in the page. */
export const activate: ActivateHost = (scope) => {
  const { commands, frames, hooks, input, page, tab } = scope;
  let search: Search | undefined;
  let last = 0;
  /** Frames that have been read for a search that has not begun. */
  const read = new Set<number>();

  const end = async (reason: EndReason): Promise<void> => {
    const ending = search;
    search = undefined;
    for (const frame of read) page.call(frame, pageEnd, { reason: 'clear' }).catch(() => undefined); // it may have gone
    read.clear();
    const isPressable = await ending?.end(reason);
    if (!isPressable) return;
    // As trusted as the person's Enter, which it is: in the order of their input.
    await input.enqueue(
      (turn) => {
        for (const type of ['keyDown', 'keyUp'] as const)
          void turn.send('Input.dispatchKeyEvent', {
            type,
            key: 'Enter',
            code: 'Enter',
            windowsVirtualKeyCode: 13,
            ...(type === 'keyDown' && { text: '\r' }),
          });
      },
      { isPress: true },
    );
  };

  page.handle(pageAsked, (asked, frame) => {
    // Refused of a page that nobody has pressed a key in.
    if (!input.gesture.isActive()) return;
    commands.send(searchStart, asked);
    // The text is read while the person begins to type.
    if (search || asked.kind !== 'new') return;
    read.add(frame.id);
    page.call(frame.id, pageSearch, { search: 0, ...NOTHING }).catch(() => undefined); // the search tells
  });
  page.handle(pageChanged, (changed, frame) => search?.changed(frame.id, changed));
  page.handle(pageShown, (shown, frame) => search?.shown(frame.id, shown));

  commands.handle(searchQuery, async ({ forward, continue: goesOn, ...query }) => {
    if (goesOn && search && isSame(search.query, query)) {
      await search.move(forward);
      return;
    }
    const from = search?.frame;
    search?.replaced();
    read.clear(); // its end is that of all frames
    search = new Search(scope, (last += 1), query);
    await search.start(from, forward);
  });
  commands.handle(searchEnd, ({ reason }) => end(reason));

  frames.onReady(({ id }) => void search?.join(id));
  frames.onGone((id) => {
    read.delete(id);
    search?.drop(id);
  });
  hooks.tap(tab.hooks.navigated, ({ frame, sameDocument }) => {
    if (!sameDocument) search?.drop(frame);
  });
  hooks.tap(tab.hooks.replaced, () => search?.leave()); // it goes on in the page that comes back
  hooks.tap(tab.hooks.clientAttached, ({ fresh }) => (fresh ? end('clear') : undefined));
  scope.onDispose(() => search?.replaced());
};

function isSame(one: Query, other: Query): boolean {
  return (
    one.text === other.text &&
    one.matchCase === other.matchCase &&
    one.wholeWords === other.wholeWords &&
    one.matchDiacritics === other.matchDiacritics
  );
}
