import type { AppError } from '../../../../core/protocol/errors.ts';
import type { Session, SessionTab } from '../../../contracts/session-scope.ts';
import { SessionPlugins } from '../../session-plugins.ts';

/** The session of one person, whose tabs and browser a test plays. */
export interface TestSession {
  readonly session: Session;
  readonly plugins: SessionPlugins;
  readonly faults: AppError[];
  /** Lines of its log. */
  readonly lines: string[];
  readonly tabs: SessionTab[];
  opened(tab: SessionTab): void;
  closed(tab: SessionTab): void;
  /** The browser has been replaced. */
  renew(): void;
}

/** A tab of the session. */
export function sessionTab(id: string, url: string): SessionTab {
  return {
    id,
    url: () => url,
    policy: () => ({}) as never, // nothing is asked of it
    frames: () => [],
    originOf: async (frame) => `https://frame-${frame}.test`,
    isShown: () => true,
    gesture: { isActive: () => false, actedAt: -Infinity },
  };
}

/** Stands for what a thread must not reach. */
export const refused = (): never => {
  throw new Error('a thread must not get here');
};

/** Makes a session without tabs. Whoever made it disposes of its plugins. */
export function testSession(): TestSession {
  const [faults, lines, tabs]: [AppError[], string[], SessionTab[]] = [[], [], []];
  const [onOpened, opened] = listeners<SessionTab>();
  const [onClosed, closed] = listeners<SessionTab>();
  const [onRenewed, renewed] = listeners<undefined>();
  const session: Session = {
    cid: 'cid',
    person: 'anna',
    policy: () => ({ pictures: 'as-is' }) as never, // as much as is asked for
    tabs: () => tabs,
    onOpened,
    onClosed,
  };
  const line = (message: string): void => void lines.push(message);
  const plugins = new SessionPlugins({
    session,
    surrogateOf: () => ({
      openExtensionPage: refused,
      setPermission: refused,
      tabsInWindow: refused,
      onDownload: () => () => undefined,
      stage: () => Promise.reject(new Error('no files here')),
      mostStaged: () => Infinity,
      onExtensionCall: refused,
      onRenewed: (listener) => onRenewed(() => listener()),
    }),
    onFault: (fault) => faults.push(fault),
    log: { debug: line, info: line, warn: line, error: line },
  });
  return {
    session,
    plugins,
    faults,
    lines,
    tabs,
    opened: (tab) => {
      tabs.push(tab);
      opened(tab);
    },
    closed: (tab) => {
      tabs.splice(tabs.indexOf(tab), 1);
      closed(tab);
    },
    renew: () => renewed(undefined),
  };
}

function listeners<T>(): [add: (listener: (value: T) => void) => () => void, tell: (value: T) => void] {
  const all = new Set<(value: T) => void>();
  const add = (listener: (value: T) => void) => {
    all.add(listener);
    return () => void all.delete(listener);
  };
  return [add, (value) => all.forEach((listener) => listener(value))];
}
