import { AppError } from '../../../core/protocol/errors.ts';
import type { SessionScope, SessionTab } from '../../contracts/session-scope.ts';
import { addresses, index, text } from './method-table.ts';
import type { ListenerCalls, MethodTable } from './method-table.ts';

/** Tabs that have ended and can still be asked about. */
const MAX_ENDED = 50;

/** Adds the methods `session.*` and `surrogate.*`: those that the table of given.ts names. */
export function addSessionMethods(
  { add, registered }: MethodTable,
  { session, surrogate }: Pick<SessionScope, 'session' | 'surrogate'>,
  { tell }: Pick<ListenerCalls, 'tell'>,
): void {
  const ended = new Map<string, SessionTab>();
  const find = (id: string): SessionTab => {
    const tab = session.tabs().find((each) => each.id === id) ?? ended.get(id);
    if (!tab) throw new AppError('tab-closed', 'there is no such tab any more');
    return tab;
  };
  const keep = (tab: SessionTab): string => {
    ended.set(tab.id, tab);
    if (ended.size > MAX_ENDED) ended.delete(ended.keys().next().value as string); // not empty
    return tab.id;
  };

  add('session.policy', [], () => session.policy());
  add('session.tabs', [], () => session.tabs().map(({ id }) => id));
  add('session.onOpened', [index], (listener) =>
    registered(
      listener,
      session.onOpened(({ id }) => tell(listener, [id])),
    ),
  );
  add('session.onClosed', [index], (listener) =>
    registered(
      listener,
      session.onClosed((tab) => tell(listener, [keep(tab)])),
    ),
  );
  add('session.tab.url', [text], (id) => find(id).url());
  add('session.tab.policy', [text, addresses], (id, address) => find(id).policy(address ?? undefined));
  add('session.tab.frames', [text], (id) => find(id).frames());
  add('session.tab.originOf', [text, index], (id, frame) => find(id).originOf(frame));
  add('session.tab.isShown', [text], (id) => find(id).isShown());
  // Clocks of threads begin when they do. Infinite is null in JSON.
  add('session.tab.gesture', [text], (id) => {
    const { gesture } = find(id);
    return { isActive: gesture.isActive(), agoMs: performance.now() - gesture.actedAt };
  });
  add('surrogate.onRenewed', [index], (listener) =>
    registered(
      listener,
      surrogate.onRenewed(() => tell(listener, [])),
    ),
  );
}
