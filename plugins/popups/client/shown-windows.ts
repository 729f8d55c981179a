import { question, slot, textsToken } from '../../../core/index.ts';
import type { ClientScope, ParamsOf, QuestionProps } from '../../../core/index.ts';
import { allowTabOpen, tabClose } from '../protocol.ts';
import type { PopupRequest, tabInit } from '../protocol.ts';
import { featureString } from '../shared/features.ts';
import { openedPath } from './opened-path.ts';

/** Interval at which windows are checked for whether the person has closed them, in ms (M-050). */
const CLOSE_WATCH_MS = 400;

const popup = slot<QuestionProps>('popups.open', 'dialog');

const CATALOGUES = {
  en: () => import('./messages/en.ts'),
  de: () => import('./messages/de.ts'),
  ar: () => import('./messages/ar.ts'),
};

/** The windows of the person's browser that show windows of this tab's page. */
export interface ShownWindows {
  /** Shows a window in the gesture of the person that has led to it, or asks them first: their click on Allow is the gesture then. */
  readonly open: (request: PopupRequest) => Promise<void>;
  /** The surrogate has the window: its tab goes there, if it is not there already. */
  readonly init: (live: ParamsOf<typeof tabInit>) => void;
  /** The window is gone: closes the tab, or the question. */
  readonly close: (id: number) => void;
  /** Brings a window to the front, or without a number the tab that has opened this one. Browsers allow it as they do any page. */
  readonly focus: (id: number | undefined) => void;
}

interface Shown {
  /** The person's window; none where it has no access to this one. */
  readonly view: Window | null;
  readonly name: string | undefined;
  readonly hasOpener: boolean;
  /** Whether the surrogate's window is there: its end is reported. */
  isLive: boolean;
}

/** Shows windows of the page with the means of the person's browser. */
export function showWindows({ commands, session, slots, services, events, signal }: ClientScope): ShownWindows {
  const texts = services.get(textsToken);
  const shown = new Map<number, Shown>();
  const questions = new Map<number, AbortController>();
  let watch: ReturnType<typeof setInterval> | undefined;
  const ended = (id: number): void => {
    shown.delete(id);
    if (shown.size > 0) return;
    clearInterval(watch);
    watch = undefined;
  };
  const look = (): void => {
    for (const [id, { view, isLive }] of shown) {
      if (!isLive || view?.closed !== true) continue;
      ended(id);
      commands.send(tabClose, { id });
    }
  };
  signal.addEventListener('abort', () => clearInterval(watch), { once: true });

  /** The features for the person's window; invalid ones are reported and ignored (M-024). */
  const featuresOf = ({ feature_str: json }: PopupRequest): string => {
    try {
      return featureString(json);
    } catch {
      events.report('tc-popup-features-invalid', {}, { level: 'warning' });
      return '';
    }
  };
  /** Opens the person's window; undefined where their browser has refused it. */
  const openView = (request: PopupRequest): Omit<Shown, 'isLive'> | undefined => {
    const { id, pairing_dict: pairing, has_opener: hasOpener, target_uri: url } = request;
    const features = featuresOf(request);
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
  };
  const opened = (id: number, view: Omit<Shown, 'isLive'>): void => {
    shown.set(id, { ...view, isLive: false });
    watch ??= setInterval(look, CLOSE_WATCH_MS);
    commands.send(allowTabOpen, { id, allowed: true });
  };

  const ask = async (request: PopupRequest): Promise<void> => {
    const { id, uri_origin: origin, target_uri: url } = request;
    const asking = new AbortController();
    questions.set(id, asking);
    await texts.load(CATALOGUES);
    const target = URL.parse(url)?.host ?? '';
    const words = {
      title: texts.text('popups.title', { site: URL.parse(origin)?.host || texts.text('popups.this-page') }),
      text: target === '' ? texts.text('popups.text-blank') : texts.text('popups.text', { target }),
      no: texts.text('popups.block'),
      yes: texts.text('popups.allow'),
    };
    const isAllowed = (await slots.ask(popup, question, words, asking.signal)) === true;
    questions.delete(id);
    if (asking.signal.aborted) return;
    const view = isAllowed ? openView(request) : undefined;
    if (view) opened(id, view);
    else commands.send(allowTabOpen, { id, allowed: false });
  };

  return {
    open: async (request) => {
      const view = request.user_initiated ? openView(request) : undefined;
      if (view) opened(request.id, view);
      else if (!questions.has(request.id)) await ask(request);
    },
    init: ({ id, pairing_dict: { pid }, target_uri: url }) => {
      const window = shown.get(id);
      if (!window) return;
      window.isLive = true;
      if (window.view === null) ended(id); // it is on its own
      if (window.name === undefined || window.view?.closed !== false) return;
      session.openTab(openedPath(url, session.prefix, pid), pid, '', window.name);
      if (!window.hasOpener) window.view.opener = null;
    },
    close: (id) => {
      questions.get(id)?.abort();
      const window = shown.get(id);
      ended(id);
      if (globalThis.top === globalThis.self) window?.view?.close(); // only the top window closes tabs (M-065)
    },
    focus: (id) => {
      const window = id === undefined ? (globalThis.opener as Window | null) : shown.get(id)?.view; // a shell of the same service
      window?.focus();
    },
  };
}
