import * as v from 'valibot';
import { randomId } from '../../channel/random-id.ts';
import type { Report } from '../../events/report.ts';

/** Prefix of the tab's id in `window.name` (S-052). */
const TAB_NAME_PREFIX = 'sv_tab_id:';
const TAB_ID_LENGTH = 16;
/** Age in ms after which an entry without updates belongs to no open tab (S-162). */
const ENTRY_MAX_AGE_MS = 100_000;
const SWEEP_MS = 10_000;

const KEY_PREFIX = 'sv_tab:';
const text = v.exactOptional(v.pipe(v.string(), v.maxLength(1000)));
const pairingSchema = v.object({
  safe_rid: v.pipe(v.string(), v.minLength(1)),
  cid: v.pipe(v.string(), v.minLength(1)),
  mpa_id: text,
  cluster_id: text,
  tab_id: text,
  protocol_domain: text,
  cluster_domain: text,
  inspect_domain: text,
  surrogate_view_active: v.exactOptional(v.boolean()),
  pending_doctype_correction: v.exactOptional(v.boolean()),
});

/** The stored pairing of one tab (S-036). */
export type StoredPairing = v.InferOutput<typeof pairingSchema>;

const entrySchema = v.object({ at: v.number(), pairing: v.unknown() });

/** Dependencies of a tab store; `name` is the window's. */
interface TabStoreOptions {
  readonly storage: Storage | undefined;
  readonly window: { name: string };
  /** The document was reached by back or forward, or its tab was restored. Its name may be lost: a browser takes it on the way across sites. */
  readonly isTraversal: boolean;
  readonly clusterDomain: string;
  readonly report: Report;
}

const lastTwoLabels = (domain: string): string => domain.split('.').slice(-2).join('.');

/** Stores the pairing of this tab, across reloads only (S-004). */
export class TabStore {
  readonly #options: TabStoreOptions;
  #id: string;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(options: TabStoreOptions) {
    this.#options = options;
    const { name } = options.window;
    const stored = name.startsWith(TAB_NAME_PREFIX) ? name.slice(TAB_NAME_PREFIX.length) : '';
    this.#id = /^[\w-]{16}$/.test(stored) ? stored : this.#rename(options.isTraversal ? this.#latest() : undefined);
    this.#sweep();
    this.#timer = setInterval(() => {
      this.touch();
      this.#sweep();
    }, SWEEP_MS);
  }

  get tabId(): string {
    return this.#id;
  }

  /** Whether stored data survives a reload (S-080). */
  get reliable(): boolean {
    try {
      const probe = `${KEY_PREFIX}probe`;
      this.#options.storage?.setItem(probe, '1');
      this.#options.storage?.removeItem(probe);
      return this.#options.storage !== undefined && this.#options.window.name === TAB_NAME_PREFIX + this.#id;
    } catch {
      return false;
    }
  }

  /** Returns the pairing to resume. One without safe_rid and cid is cleared; domains of another cluster are ignored (S-084). */
  load(): StoredPairing | undefined {
    const entry = this.#read(KEY_PREFIX + this.#id);
    if (!entry) return undefined;
    const outcome = v.safeParse(pairingSchema, entry.pairing);
    if (!outcome.success) {
      this.clear();
      return undefined;
    }
    const { protocol_domain, cluster_domain, inspect_domain, ...rest } = outcome.output;
    const domains = Object.entries({ protocol_domain, cluster_domain, inspect_domain }).filter(
      ([, domain]) => domain !== undefined,
    );
    const expected = lastTwoLabels(this.#options.clusterDomain);
    if (domains.every(([, domain]) => lastTwoLabels(domain ?? '') === expected)) return outcome.output;
    this.#options.report('tab-storage-invalid', { domains: domains.map(([name]) => name) }, { level: 'warning' });
    return rest;
  }

  save(pairing: StoredPairing): void {
    this.#write({ at: Date.now(), pairing });
  }

  /** Updates the stored pairing, if there is one. */
  update(changes: Partial<StoredPairing>): void {
    const pairing = this.load();
    if (pairing) this.save({ ...pairing, ...changes });
  }

  /** Marks the tab as still open. */
  touch(): void {
    const entry = this.#read(KEY_PREFIX + this.#id);
    if (entry) this.#write({ ...entry, at: Date.now() });
  }

  /** After {@link dispose} it stays: a call that ends with its document says nothing about the pairing, which the next one resumes. */
  clear(): void {
    if (this.#timer) this.#options.storage?.removeItem(KEY_PREFIX + this.#id);
  }

  /** Gives this tab its own identity: it is a duplicate of another tab, which keeps the pairing. */
  becomeAnother(): void {
    if (!this.#timer) return;
    this.clear();
    this.#id = this.#rename();
  }

  /** The document is unloaded. */
  dispose(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #rename(id = randomId(TAB_ID_LENGTH)): string {
    this.#options.window.name = TAB_NAME_PREFIX + id;
    return id;
  }

  #read(key: string): v.InferOutput<typeof entrySchema> | undefined {
    try {
      return v.parse(entrySchema, JSON.parse(this.#options.storage?.getItem(key) ?? ''));
    } catch {
      return undefined; // missing or invalid
    }
  }

  #write(entry: v.InferOutput<typeof entrySchema>): void {
    try {
      this.#options.storage?.setItem(KEY_PREFIX + this.#id, JSON.stringify(entry));
    } catch {
      // full or not allowed: `reliable` reports it
    }
  }

  /** The id of the entry that was updated last. */
  #latest(): string | undefined {
    const age = (key: string): number => -(this.#read(key)?.at ?? 0);
    return this.#keys()
      .sort((a, b) => age(a) - age(b))[0]
      ?.slice(KEY_PREFIX.length);
  }

  #keys(): string[] {
    return Object.keys(this.#options.storage ?? {}).filter((key) => key.startsWith(KEY_PREFIX));
  }

  #sweep(): void {
    const { storage } = this.#options;
    for (const key of this.#keys()) {
      const entry = this.#read(key);
      if (!entry || Date.now() - entry.at > ENTRY_MAX_AGE_MS) storage?.removeItem(key);
    }
  }
}

/**
 * Maximum time, in ms, for another document (this tab before its reload) to release a tab's identity. A duplicated tab waits so long;
 * one that is reloaded on a busy machine would otherwise lose its session.
 */
const CLAIM_MS = 2000;

/** Holds a tab's identity for the lifetime of this document. Returns false when another tab has it: this one is a duplicate. */
async function claimTab(locks: LockManager | undefined, tabId: string): Promise<boolean> {
  if (!locks) return true; // not a secure context: duplicates cannot be detected
  return new Promise((resolve) => {
    locks
      .request(`sv_tab:${tabId}`, { signal: AbortSignal.timeout(CLAIM_MS) }, () => {
        resolve(true);
        return new Promise<never>(() => undefined); // held until the document is unloaded
      })
      .catch(() => {
        resolve(false);
      });
  });
}

/** Claims the identity in the store for this document. A duplicate of a tab that is still open gets a new identity. */
export async function claimIdentity(locks: LockManager | undefined, store: TabStore): Promise<void> {
  const claimed = claimTab(locks, store.tabId);
  // Only a pairing to resume can belong to another tab. The lock takes longer than everything else before the pair request.
  if (!store.load() || (await claimed)) return;
  store.becomeAnother();
  await claimTab(locks, store.tabId);
}
