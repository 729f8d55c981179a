import type { Disposal } from '../../../core/plugins/disposal.ts';
import type { Session, SessionScope, SessionTab } from '../../contracts/session-scope.ts';
import { NO_SERVICE, refuseSurrogate } from './given.ts';
import { listening } from './message-methods.ts';
import { threadAccess } from './access-methods.ts';
import { threadLog } from './thread-log.ts';
import type { ThreadWire } from './thread-wire.ts';
import type { SessionFacts } from './wire.ts';

/** A tab of the session, by its id. Answers of the host are trusted, and have the types of the host's side. */
export function threadTab(wire: ThreadWire, id: string): SessionTab {
  const gesture = (): { readonly isActive: boolean; readonly agoMs: number | null } =>
    wire.sync('session.tab.gesture', id) as never;
  return {
    id,
    url: () => wire.sync('session.tab.url', id) as never,
    policy: (address) => wire.sync('session.tab.policy', id, address) as never,
    frames: () => wire.sync('session.tab.frames', id) as never,
    originOf: async (frame) => (await wire.ask('session.tab.originOf', id, frame)) as never,
    isShown: () => wire.sync('session.tab.isShown', id) as never,
    gesture: {
      isActive: () => gesture().isActive,
      get actedAt() {
        return performance.now() - (gesture().agoMs ?? Infinity);
      },
    },
  };
}

/** The scope of a session half that runs in a thread: what the table of given.ts says, with every method carried over the wire. */
export function threadSession(
  wire: ThreadWire,
  { plugin, options, session }: SessionFacts,
  disposal: Disposal,
): SessionScope {
  const listen = listening(wire, disposal);
  const seen: Session = {
    ...session,
    policy: () => wire.sync('session.policy') as never,
    tabs: () => (wire.sync('session.tabs') as string[]).map((id) => threadTab(wire, id)), // the host's own
    onOpened: (listener) => listen('session.onOpened', ([id]) => listener(threadTab(wire, id as string))),
    onClosed: (listener) => listen('session.onClosed', ([id]) => listener(threadTab(wire, id as string))),
  };
  return {
    plugin,
    log: threadLog(wire),
    signal: disposal.signal,
    onDispose: (undo) => disposal.add(undo),
    services: NO_SERVICE,
    ...threadAccess(wire, options, disposal.signal),
    session: seen,
    surrogate: {
      openExtensionPage: async () => refuseSurrogate('openExtensionPage'),
      setPermission: async () => refuseSurrogate('setPermission'),
      tabsInWindow: async () => refuseSurrogate('tabsInWindow'),
      onRenewed: (listener) => listen('surrogate.onRenewed', () => listener()),
      onExtensionCall: () => refuseSurrogate('onExtensionCall'),
      onDownload: () => refuseSurrogate('onDownload'),
      stage: async () => refuseSurrogate('stage'),
      mostStaged: () => refuseSurrogate('mostStaged'),
    },
  };
}
