import type { PairRequest } from '../../../core/protocol/pairing.ts';
import type { AskedShell } from '../../contracts/link.ts';

/** Time after which an unclaimed tab is ended, in ms: its client asks within a second or two of its shell. */
const UNCLAIMED_MS = 10_000;
/** Maximum number of prewarmed tabs of a person. */
const MAX_UNCLAIMED = 3;

interface PrewarmedTab<T> {
  readonly request: PairRequest;
  readonly tab: Promise<T>;
  readonly timer: NodeJS.Timeout;
}

/**
 * Opens a person's tabs (`T`) while the client that will show them is still loading: with the request that the client
 * is expected to send, if its browser is as it was last time. Tabs that are never claimed are ended.
 */
export class TabPrewarmer<T> {
  readonly #end: (tab: T) => void;
  readonly #unclaimed = new Set<PrewarmedTab<T>>();
  #last: PairRequest | undefined;

  constructor(end: (tab: T) => void) {
    this.#end = end;
  }

  /** Remembers what a client reports of the person's browser, without the data that it sends to a site. */
  learn({ is_post: _isPost, body: _body, content_type: _type, ...request }: PairRequest): void {
    this.#last = request;
  }

  /** Predicts the request of a shell's client; undefined where that is not possible. */
  foresee({ url, userAgent, referrer, docHeaders, isNew }: AskedShell): PairRequest | undefined {
    const last = this.#last;
    if (!isNew || last?.render_params.user_agent !== userAgent || !reportsLeaving(last.render_params)) return undefined;
    // A new tab has no id of its own and no stored policy yet.
    const { mpa_id: _mpaId, ...same } = last;
    return { ...same, url, referrer, doc_headers: docHeaders, is_post: false, persistent_policy: null };
  }

  /** Opens a tab in advance with `open`, unless too many are unclaimed. */
  begin(request: PairRequest, open: () => Promise<T>): void {
    if (this.#unclaimed.size >= MAX_UNCLAIMED) return;
    const tab = open();
    const start: PrewarmedTab<T> = { request, tab, timer: setTimeout(() => this.#drop(start), UNCLAIMED_MS) };
    start.timer.unref();
    this.#unclaimed.add(start);
    tab.catch(() => this.#forget(start)); // the client's own request opens another, and gets the error
  }

  /** Claims the prewarmed tab for a request, if one matches; others for the same address are ended. */
  async take(request: PairRequest): Promise<T | undefined> {
    for (const start of this.#unclaimed) {
      if (!isSamePage(start.request.url, request.url)) continue;
      if (!fits(start.request, request)) this.#drop(start);
      else {
        this.#forget(start);
        return start.tab.catch(() => undefined);
      }
    }
    return undefined;
  }

  /** Ends the prewarmed tab that has waited longest, if there is one. */
  endOldest(): boolean {
    const [oldest] = this.#unclaimed;
    if (oldest) this.#drop(oldest);
    return oldest !== undefined;
  }

  /** Called when an existing tab opens this address: the prewarmed one is not needed. */
  spare(url: string): void {
    for (const start of this.#unclaimed) if (isSamePage(start.request.url, url)) this.#drop(start);
  }

  #drop(start: PrewarmedTab<T>): void {
    this.#forget(start);
    start.tab.then(this.#end, () => undefined);
  }

  #forget(start: PrewarmedTab<T>): void {
    clearTimeout(start.timer);
    this.#unclaimed.delete(start);
  }
}

/** Compares without the fragment, which only the client knows. */
export function isSamePage(a: string, b: string): boolean {
  return a.replace(/#.*$/s, '') === b.replace(/#.*$/s, '');
}

/** Whether a page that was opened for one request matches another. */
function fits(opened: PairRequest, asked: PairRequest): boolean {
  return JSON.stringify(essence(opened)) === JSON.stringify(essence(asked));
}

/** Parameters that differ between hosts, clients or windows, and that pages cannot see. */
const IRRELEVANT: ReadonlySet<string> = new Set([
  'pid',
  'attempt',
  'pa_tok',
  'pair_node',
  'persistent_policy', // a duplicate of a tab has that tab's
  'build_id',
  'host',
  'transparent_mode',
  'force_isolate',
  'framing_status',
  'top_frame_doctype',
  'reload_allowed',
  'viewport_bounds',
]);

/**
 * The parameters that a page has used once it has loaded: sizes and screens may change at any time. Absent parameters
 * count as empty.
 */
function essence({ render_params: { user_agent, media_features }, ...request }: PairRequest): unknown {
  const known = Object.entries(request).filter(([name, value]) => Boolean(value) && !IRRELEVANT.has(name));
  return sorted({ ...Object.fromEntries(known), user_agent, media_features });
}

/**
 * Whether the person's browser reports that a document is left. Browsers of iOS do not: a tab that is paired already
 * looks like a new one. Those of tablets identify as a Mac, which has no touch screen.
 */
function reportsLeaving({ user_agent, device_metrics }: PairRequest['render_params']): boolean {
  return (
    !/iP(?:hone|ad|od)/.test(user_agent) && !(user_agent.includes('Macintosh') && device_metrics.max_touch_points > 0)
  );
}

/** Sorts keys, so that equal values give equal texts. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, of]) => [key, sorted(of)]),
  );
}
