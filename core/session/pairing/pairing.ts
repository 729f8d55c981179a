import * as v from 'valibot';
import { randomId } from '../../channel/random-id.ts';
import type { CallServer } from '../../channel/server-call.ts';
import type { Report } from '../../events/report.ts';
import { toAppError } from '../../protocol/errors.ts';
import { pairAnswerSchema } from '../../protocol/pairing.ts';
import type { PairAnswer, PairRequest, RepairRequest } from '../../protocol/pairing.ts';
import type { StoredPairing, TabStore } from '../tab/tab-store.ts';

/** Delays between two pair requests grow from the first value to the second, in ms (S-057). */
const PAIR_BACKOFF_MS = 50;
const PAIR_BACKOFF_MAX_MS = 3000;
/**
 * Number of retries from which the person sees that the network or the host has a problem (S-139). The specification says both "after fewer
 * than 3 slow retries" and "after 3 retries". Three take about 350 ms, which a host needs to restart its gateway; that must not alarm
 * anyone.
 */
const SLOW_AFTER_RETRIES = 3;
/** Maximum number of nodes that one pairing may be redirected to (S-107). */
const MAX_NODES = 5;
const ATTEMPT_LENGTH = 22;
/** Timeout of a repair, in ms (S-163). */
const XHR_TIMEOUT_MS = 15_000;
/** Additional time, in ms, for the host to prepare a surrogate: a launch under load takes ten seconds (S-163). */
const PRE_PAIR_XHR_MS = 30_000;

/** A pair response that contains a session. */
export type Paired = PairAnswer & { readonly safe_rid: string; readonly cid: string };

/** Destination of a tab that gets no session. */
export type Elsewhere =
  /** Posture check, access denied. */
  | { readonly kind: 'redirect'; readonly url: string }
  | { readonly kind: 'login'; readonly url: string; readonly answer: PairAnswer }
  | { readonly kind: 'direct'; readonly access: NonNullable<PairAnswer['direct_access']> };

/** Result of pairing. */
export type PairOutcome =
  | {
      readonly kind: 'paired';
      readonly answer: Paired;
      readonly repaired: boolean;
      /** Whether the tab had a session that no longer exists. */
      readonly isLost: boolean;
    }
  /** Navigate there instead (S-059, S-060, R-058). */
  | { readonly kind: 'elsewhere'; readonly to: Elsewhere }
  /** This client is too old for the host, or too new. */
  | { readonly kind: 'reload' }
  | { readonly kind: 'blocked'; readonly block: unknown }
  | { readonly kind: 'tab-limit' }
  | {
      readonly kind: 'error';
      readonly code: string;
      readonly title?: string;
      readonly message?: string;
      readonly details?: string;
    };

/** Dependencies of pairing. */
interface PairingOptions {
  readonly call: CallServer;
  readonly store: Pick<TabStore, 'load' | 'save' | 'clear' | 'tabId'>;
  readonly report: Report;
  /** Creates the request, again for each attempt. */
  readonly request: () => Promise<PairRequest>;
  /** Fields of a repair only: the current history entry, and Do Not Track. */
  readonly repairFields: () => Pick<RepairRequest, 'hid' | 'dnt'>;
  readonly setCookie: (name: 'nid' | 'cl', value: string) => void;
  readonly hasCookie: (name: 'nid' | 'cl') => boolean;
  /** Values stored with the pairing, in addition to those from the host (S-036). */
  readonly context: Pick<StoredPairing, 'mpa_id' | 'protocol_domain' | 'cluster_domain' | 'inspect_domain'>;
  /** Called with the name of this attempt, which each of its requests has, once the first is on its way (S-056). */
  readonly onBegin: (attempt: string) => void;
  /** Pairing takes long. Called with the reason, to notify the person. */
  readonly onSlow: (why: string) => void;
}

/** Delay before retry `n`, counted from 0, in ms (S-057). */
export function pairBackoff(n: number): number {
  return Math.min(PAIR_BACKOFF_MAX_MS, PAIR_BACKOFF_MS * 2 ** n);
}

const address = (path: string, query: Readonly<Record<string, string | undefined>>): string => {
  const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return given.length > 0 ? `${path}?${new URLSearchParams(given)}` : path;
};

const elsewhere = (to: Elsewhere): PairOutcome => ({ kind: 'elsewhere', to });

/** Pairs the tab with a surrogate: with its surrogate from before a reload, otherwise with a new one. Retries until there is a result. */
export class Pairing {
  readonly #options: PairingOptions;
  readonly #attempt = randomId(ATTEMPT_LENGTH); // the host may have opened a tab although its answer was lost
  #hasBegun = false;
  #isLost = false;

  constructor(options: PairingOptions) {
    this.#options = options;
  }

  async run(): Promise<PairOutcome> {
    const stored = this.#options.store.load();
    return (stored && (await this.#repair(stored))) ?? (await this.#pair());
  }

  #call(request: Parameters<CallServer>[0]): Promise<unknown> {
    const answer = this.#options.call(request);
    if (!this.#hasBegun) this.#options.onBegin(this.#attempt);
    this.#hasBegun = true;
    return answer;
  }

  /** Discards the tab's pairing. */
  #reset(reason: string): void {
    this.#options.store.clear();
    this.#options.report('tc-tab-reset', { reason }, { level: 'warning', force: true });
  }

  async #repair(stored: StoredPairing): Promise<PairOutcome | undefined> {
    const { safe_rid, cid, cluster_id } = stored;
    try {
      const { body: _posted, ...request } = await this.#options.request(); // the page has had it
      const answer = await this.#call({
        label: 'repair',
        path: address('/r/repair', { cid, cl: cluster_id }),
        body: {
          ...request,
          attempt: this.#attempt,
          tab_id: stored.tab_id ?? this.#options.store.tabId,
          safe_rid,
          ...this.#options.repairFields(),
          popup_initial_pair: false,
          doctype_correction: stored.pending_doctype_correction ?? false,
        } satisfies RepairRequest,
        timeoutMs: XHR_TIMEOUT_MS,
      });
      const outcome = this.#outcome(answer, true);
      if (outcome && outcome.kind !== 'error') return outcome;
    } catch {
      // the code that calls the host reports it; the next step is the same
    }
    this.#reset('repair XHR failed'); // S-063
    this.#isLost = true;
    return undefined;
  }

  async #pair(): Promise<PairOutcome> {
    const { report, onSlow, request } = this.#options;
    let node: { cid?: string; cl?: string } = {};
    let nodes = 0;
    for (let retries = 0; ; retries += 1) {
      let why: string;
      try {
        const { body: text, ...body } = { ...(await request()), attempt: this.#attempt };
        const answer = await this.#call({
          label: 'pair',
          path: address('/r/pair', node),
          body,
          text,
          timeoutMs: XHR_TIMEOUT_MS + PRE_PAIR_XHR_MS,
        });
        const outcome = this.#outcome(answer, false);
        if (outcome) return outcome;
        const { error, retry_nid, cid, cluster_id } = answer as PairAnswer; // #outcome has checked its shape
        if (retry_nid !== undefined && ++nodes <= MAX_NODES) {
          this.#options.setCookie('nid', retry_nid);
          node = { cid: cid ?? retry_nid, ...(cluster_id !== undefined && { cl: cluster_id }) };
          continue;
        }
        why = error ?? 'retry_nid';
        report(
          why === 'global_pool_depleted' ? 'tc-global-pool-depleted' : 'tc-pairing-retry',
          { retries },
          { force: true },
        );
      } catch (thrown) {
        const fault = toAppError(thrown);
        if (!fault.retryable) return { kind: 'error', code: 'pair-refused', message: fault.message };
        why = fault.message;
      }
      if (retries + 1 >= SLOW_AFTER_RETRIES) {
        report('tc-pairing-slow-retry', { retries, why }, { level: 'warning' });
        onSlow(why);
      }
      await new Promise((resolve) => setTimeout(resolve, pairBackoff(retries)));
    }
  }

  /** Interprets a response. Undefined: retry. */
  #outcome(value: unknown, repaired: boolean): PairOutcome | undefined {
    const parsed = v.safeParse(pairAnswerSchema, value);
    if (!parsed.success) return this.#unexpected(repaired, 'not an answer');
    const answer = parsed.output;
    if (answer.version === 'reload') return { kind: 'reload' };
    if (answer.direct_access) return elsewhere({ kind: 'direct', access: answer.direct_access });
    if (answer.block) return { kind: 'blocked', block: answer.block };
    switch (answer.error) {
      case undefined:
        break;
      case 'pairing_retry':
      case 'global_pool_depleted':
        return undefined;
      case 'tab_limit':
        return { kind: 'tab-limit' };
      case 'access_denied_redirect':
        if (answer.redirect_url !== undefined) return elsewhere({ kind: 'redirect', url: answer.redirect_url });
        return { kind: 'error', code: answer.error };
      default:
        return { kind: 'error', code: answer.error, ...answer.error_page };
    }
    if (answer.retry_nid !== undefined) return undefined;
    const { login_url, posture_url, safe_rid, cid } = answer;
    if (login_url !== undefined) return elsewhere({ kind: 'login', url: login_url, answer });
    if (safe_rid && cid) this.#save(answer, safe_rid, cid, repaired); // also kept for the return from the posture page
    if (posture_url !== undefined) return elsewhere({ kind: 'redirect', url: posture_url });
    if (!safe_rid || !cid) return this.#unexpected(repaired, 'neither session nor error');
    return { kind: 'paired', answer: { ...answer, safe_rid, cid }, repaired, isLost: this.#isLost };
  }

  #unexpected(repaired: boolean, why: string): PairOutcome {
    this.#options.report('tc-pairing-unexpected-response', { why }, { level: 'error', force: true });
    if (!repaired) this.#reset('invalid pairing state'); // S-062
    return { kind: 'error', code: 'pairing-unexpected-response' };
  }

  #save(answer: PairAnswer, safe_rid: string, cid: string, repaired: boolean): void {
    const { store, setCookie, hasCookie, report } = this.#options;
    const { cluster_id, s_nid } = answer;
    store.save({
      ...this.#options.context,
      safe_rid,
      cid,
      tab_id: answer.tab_id ?? store.tabId,
      ...(cluster_id !== undefined && { cluster_id }),
      surrogate_view_active: false,
      pending_doctype_correction: false,
    });
    for (const [name, value] of [
      ['nid', s_nid],
      ['cl', cluster_id],
    ] as const) {
      if (value === undefined) continue;
      if (repaired && !hasCookie(name)) report('tc-attempt-recookie', { name }); // S-157
      setCookie(name, value);
    }
  }
}
