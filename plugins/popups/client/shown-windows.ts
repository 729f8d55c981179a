import { question, slot, Snackbar } from '../../../core/index.ts';
import type { ClientScope, ParamsOf, QuestionProps, Texts } from '../../../core/index.ts';
import { allowTabOpen, tabClose } from '../protocol.ts';
import type { PopupRequest, tabInit } from '../protocol.ts';
import { featureString } from '../features.ts';
import { openedPath } from './opened-path.ts';
import { textsOf } from './texts.ts';

/** Interval at which windows are checked for whether the person has closed them, in ms (M-050). */
const CLOSE_WATCH_MS = 400;

const popup = slot<QuestionProps>('popups.open', 'dialog');

/** The windows of the person's browser that show windows of this tab's page. */
export interface ShownWindows {
  /** Shows a window in the gesture of the person that has led to it, or asks them first: their click on Allow is the gesture then. */
  readonly open: (request: PopupRequest) => Promise<void>;
  /** The surrogate has the window: its tab goes there, if it is not there already. */
  readonly init: (live: ParamsOf<typeof tabInit>) => void;
  /** The window is gone: closes the tab, or the question. Without a number: the policy lets the page open none, and a notice says so. */
  readonly close: (id: number | undefined) => Promise<void>;
}

/** A window that the person's browser has opened. */
interface Opened {
  /** The person's window; none where it has no access to this one. */
  readonly view: Window | null;
  readonly name: string | undefined;
  readonly hasOpener: boolean;
}

interface Shown extends Opened {
  /** Whether the surrogate's window is there: its end is reported. */
  isLive: boolean;
}

/** Shows windows of the page with the means of the person's browser. */
export function showWindows(scope: ClientScope): ShownWindows {
  const { commands, session } = scope;
  const shown = watchWindows(scope);
  const questions = askPerson(scope);
  const snackbar = new Snackbar(scope);
  const show = (id: number, opened: Opened | undefined): void => {
    if (opened) shown.add(id, opened);
    commands.send(allowTabOpen, { id, allowed: opened !== undefined });
  };
  const refused = async (): Promise<void> => {
    const texts = await textsOf(scope);
    snackbar.show(texts.text('popups.refused'));
  };
  const close = async (id: number | undefined): Promise<void> => {
    if (id === undefined) return refused();
    questions.withdraw(id);
    const window = shown.get(id);
    shown.remove(id);
    if (globalThis.top === globalThis.self) window?.view?.close(); // only the top window closes tabs (M-065)
  };
  return {
    open: async (request) => {
      const opened = request.user_initiated ? openView(scope, request) : undefined;
      if (opened) show(request.id, opened);
      else
        await questions.ask(request, (isAllowed) => show(request.id, isAllowed ? openView(scope, request) : undefined));
    },
    init: ({ id, pairing_dict: { pid }, target_uri: url }) => {
      const window = shown.get(id);
      if (!window) return;
      window.isLive = true;
      if (window.view === null) shown.remove(id); // it is on its own
      if (window.name === undefined || window.view?.closed !== false) return;
      session.openTab(openedPath(url, session.prefix, pid), pid, '', window.name);
      if (!window.hasOpener) window.view.opener = null;
    },
    close,
  };
}

interface WatchedWindows {
  readonly add: (id: number, opened: Opened) => void;
  readonly get: (id: number) => Shown | undefined;
  readonly remove: (id: number) => void;
}

/** Keeps the windows that are shown, and reports those that the person closes (M-050). */
function watchWindows({ commands, signal }: Pick<ClientScope, 'commands' | 'signal'>): WatchedWindows {
  const shown = new Map<number, Shown>();
  let watch: ReturnType<typeof setInterval> | undefined;
  const remove = (id: number): void => {
    shown.delete(id);
    if (shown.size > 0) return;
    clearInterval(watch);
    watch = undefined;
  };
  const look = (): void => {
    for (const [id, { view, isLive }] of shown) {
      if (!isLive || view?.closed !== true) continue;
      remove(id);
      commands.send(tabClose, { id });
    }
  };
  signal.addEventListener('abort', () => clearInterval(watch), { once: true });
  return {
    add: (id, opened) => {
      shown.set(id, { ...opened, isLive: false });
      watch ??= setInterval(look, CLOSE_WATCH_MS);
    },
    get: (id) => shown.get(id),
    remove,
  };
}

/** The features for the person's window; invalid ones are reported and ignored (M-024). */
function featuresOf({ feature_str: json }: PopupRequest, events: ClientScope['events']): string {
  try {
    return featureString(json);
  } catch {
    events.report('tc-popup-features-invalid', {}, { level: 'warning' });
    return '';
  }
}

/** Opens the person's window; undefined where their browser has refused it. */
function openView(
  { session, events }: Pick<ClientScope, 'session' | 'events'>,
  request: PopupRequest,
): Opened | undefined {
  const { id, pairing_dict: pairing, has_opener: hasOpener, target_uri: url } = request;
  const features = featuresOf(request, events);
  if (pairing.pid === undefined) {
    const name = `popup ${session.tabId} ${id}`; // by which it is led to its page
    const view = session.openTab('about:blank', undefined, features, name);
    return view ? { view, name, hasOpener } : undefined;
  }
  const path = openedPath(url, session.prefix, pairing.pid);
  if (hasOpener) {
    const view = session.openTab(path, pairing.pid, features);
    return view ? { view, name: undefined, hasOpener } : undefined;
  }
  const { userActivation } = navigator as Partial<Navigator>;
  if (userActivation?.isActive === false) return undefined; // it would be refused, and nothing would say so
  session.openTab(path, pairing.pid, ['noopener', features].filter((part) => part !== '').join(','));
  return { view: null, name: undefined, hasOpener };
}

interface Questions {
  /** Asks for a window, once. `answered` runs in the gesture of the answer, and not where the question was withdrawn. */
  readonly ask: (request: PopupRequest, answered: (isAllowed: boolean) => void) => Promise<void>;
  readonly withdraw: (id: number) => void;
}

/** Asks the person for windows, one at a time (R-006, M-048). */
function askPerson({ services, slots }: Pick<ClientScope, 'services' | 'slots'>): Questions {
  const questions = new Map<number, AbortController>();
  let loaded: Promise<Texts> | undefined; // one for all: in the order of the requests
  return {
    ask: async ({ id, uri_origin: origin, target_uri: url }, answered) => {
      if (questions.has(id)) return;
      const asking = new AbortController();
      questions.set(id, asking);
      const texts = await (loaded ??= textsOf({ services }));
      const target = URL.parse(url)?.host ?? '';
      const words = {
        title: texts.text('popups.title', { site: URL.parse(origin)?.host || texts.text('popups.this-page') }),
        text: target === '' ? texts.text('popups.text-blank') : texts.text('popups.text', { target }),
        no: texts.text('popups.block'),
        yes: texts.text('popups.allow'),
      };
      const isAllowed = (await slots.ask(popup, question, words, asking.signal)) === true;
      questions.delete(id);
      if (!asking.signal.aborted) answered(isAllowed);
    },
    withdraw: (id) => questions.get(id)?.abort(),
  };
}
