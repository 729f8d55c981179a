import type { PairRequest } from '../../../core/protocol/pairing.ts';
import type { AskedShell } from '../../link.ts';

/** How long a tab waits for its client, in ms: it asks within a second or two of its shell. */
const UNTAKEN_MS = 10_000;
/** Tabs of a person that may wait at once. */
const MOST = 3;

interface PrewarmedTab<T> {
  readonly request: PairRequest;
  readonly tab: Promise<T>;
  readonly timer: NodeJS.Timeout;
}

/**
 * A person's tabs (`T`) that load their page while the client that is to show it does: they are begun as the client will ask for them, if its
 * browser is as it was the last time. Those that nobody asks for are ended.
 */
export class TabPrewarmer<T> {
  readonly #end: (tab: T) => void;
  readonly #begun = new Set<PrewarmedTab<T>>();
  #last: PairRequest | undefined;

  constructor(end: (tab: T) => void) {
    this.#end = end;
  }

  /** Remembers what a client says of the person's browser, and nothing of what it sends to a site. */
  learn({ is_post: _isPost, body: _body, content_type: _type, ...request }: PairRequest): void {
    this.#last = request;
  }

  /** What the client of a shell will ask for; undefined where that cannot be known. */
  foresee({ url, userAgent, referrer, isNew }: AskedShell): PairRequest | undefined {
    const last = this.#last;
    if (!isNew || last?.render_params.user_agent !== userAgent || !tellsOfLeaving(last.render_params)) return undefined;
    // What a tab has kept, or was opened with, a new one has not.
    const { mpa_id: _mpaId, ...same } = last;
    return { ...same, url, referrer, is_post: false, persistent_policy: null };
  }

  /** Begins a tab that `open` opens, unless too many wait already. */
  begin(request: PairRequest, open: () => Promise<T>): void {
    if (this.#begun.size >= MOST) return;
    const tab = open();
    const start: PrewarmedTab<T> = { request, tab, timer: setTimeout(() => this.#drop(start), UNTAKEN_MS) };
    start.timer.unref();
    this.#begun.add(start);
    tab.catch(() => this.#forget(start)); // whoever asks for it opens another, and hears of what is in the way
  }

  /** The tab that was begun for a request, if there is one that fits it; others for the same address are ended. */
  async take(request: PairRequest): Promise<T | undefined> {
    for (const start of this.#begun) {
      if (!isSamePage(start.request.url, request.url)) continue;
      if (!fits(start.request, request)) this.#drop(start);
      else {
        this.#forget(start);
        return start.tab.catch(() => undefined);
      }
    }
    return undefined;
  }

  /** Ends the tab that has waited longest, if one waits. */
  endOldest(): boolean {
    const [oldest] = this.#begun;
    if (oldest) this.#drop(oldest);
    return oldest !== undefined;
  }

  /** A tab that is there already goes to this address: none is needed. */
  spare(url: string): void {
    for (const start of this.#begun) if (isSamePage(start.request.url, url)) this.#drop(start);
  }

  #drop(start: PrewarmedTab<T>): void {
    this.#forget(start);
    start.tab.then(this.#end, () => undefined);
  }

  #forget(start: PrewarmedTab<T>): void {
    clearTimeout(start.timer);
    this.#begun.delete(start);
  }
}

/** But for the fragment, which only the client knows. */
export function isSamePage(a: string, b: string): boolean {
  return a.replace(/#.*$/s, '') === b.replace(/#.*$/s, '');
}

/** Whether a page that was opened for one request is what another asks for. */
function fits(begun: PairRequest, asked: PairRequest): boolean {
  return JSON.stringify(essence(begun)) === JSON.stringify(essence(asked));
}

/** What tells hosts apart, clients or windows, and nothing to a page. */
const NO_MATTER: ReadonlySet<string> = new Set([
  'pid',
  'pa_tok',
  'pair_node',
  'build_id',
  'host',
  'transparent_mode',
  'force_isolate',
  'framing_status',
  'top_frame_doctype',
  'reload_allowed',
  'viewport_bounds',
]);

/** What a page has come to know once it has loaded: sizes and screens may change at any time. What is left out is as good as nothing. */
function essence({ render_params: { user_agent, media_features }, ...request }: PairRequest): unknown {
  const known = Object.entries(request).filter(([name, value]) => Boolean(value) && !NO_MATTER.has(name));
  return sorted({ ...Object.fromEntries(known), user_agent, media_features });
}

/**
 * Browsers of iOS tell no document that it is about to be left: a tab that is paired already cannot be told from a new one. Those of
 * tablets say that they are of a Mac, which has no screen to touch.
 */
function tellsOfLeaving({ user_agent, device_metrics }: PairRequest['render_params']): boolean {
  return (
    !/iP(?:hone|ad|od)/.test(user_agent) && !(user_agent.includes('Macintosh') && device_metrics.max_touch_points > 0)
  );
}

/** With its keys in order, so that equal values make equal texts. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, of]) => [key, sorted(of)]),
  );
}
