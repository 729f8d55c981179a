import type { CancelReason, DownloadRecord } from '../protocol.ts';
import { CANCEL } from '../protocol.ts';
import type { CheckState, Checked } from './check.ts';

/** Where a download is. */
type TransferState =
  'receiving' | 'checking' | 'waiting' | 'locked' | 'quarantined' | 'allowed' | 'saved' | 'blocked' | 'failed';

/** A row of the tray. */
export interface Transfer extends DownloadRecord {
  readonly state: TransferState;
  /** From 0 to 1; undefined while nobody knows. */
  readonly progress: number | undefined;
  /** Id of the text that says why it is blocked or has failed. */
  readonly reason?: string;
  readonly most?: number;
  /** Text of the rule that withholds it. */
  readonly message?: string;
  /** Scanners have looked at all of it, and found nothing. */
  readonly isScanned?: boolean;
  /** The person may try again: `check`, where the connection failed and not the file, which the host may still have; `begin`, to have it come once more. */
  readonly retry?: 'check' | 'begin' | undefined;
}

/** State of a download, as the host reports it for the first time, or again. */
interface Reported {
  readonly status: 'started' | 'finished' | 'cancelled';
  readonly reason?: CancelReason | undefined;
  readonly most?: number | undefined;
  readonly saved?: boolean;
  readonly scanned?: boolean;
  readonly replaces?: number | undefined;
}

interface Size {
  readonly received: number;
  readonly total?: number;
}

interface TransfersOptions {
  /** Asks the host until it says what becomes of a file. */
  readonly check: (item: Transfer, onState: (state: CheckState) => void, over: AbortSignal) => Promise<Checked>;
  /** Asks the host once more for a file that was saved before. Rejects where the call fails. */
  readonly endOf: (item: Transfer) => Promise<Checked | undefined>;
  readonly save: (item: Transfer) => void;
  readonly cancel: (id: number) => void;
  /** Has the host begin one again. */
  readonly again: (id: number) => void;
  readonly forget: (id: number) => void;
  readonly onFault: (thrown: unknown) => void;
  /** The tray appears or disappears. */
  readonly onShown: (isShown: boolean) => void;
  /** Names of files that the person does not have yet, whenever something changes. */
  readonly onUnfinished: (names: readonly string[]) => void;
}

/** Texts of reasons of the host. */
const REASONS: Readonly<Record<CancelReason, string>> = {
  [CANCEL.user]: 'downloads.canceled',
  [CANCEL.tooLarge]: 'downloads.too-large',
  [CANCEL.interrupted]: 'downloads.interrupted',
  [CANCEL.host]: 'downloads.host-failed',
  [CANCEL.diskFull]: 'downloads.disk-full',
  [CANCEL.noRoom]: 'downloads.no-room',
};
/** Share of the bar for the way into the host; the rest is for the checks (M-035). */
const RECEIVING_SHARE = 0.5;

/** The downloads of the tab, and the tray's state. */
export class Transfers {
  readonly #options: TransfersOptions;
  readonly #listeners = new Set<() => void>();
  readonly #checks = new Map<number, AbortController>();
  #rows: readonly Transfer[] = [];
  #isShown = false;
  #news: number | undefined;

  constructor(options: TransfersOptions) {
    this.#options = options;
  }

  /** The newest first. */
  readonly rows = (): readonly Transfer[] => this.#rows;

  /** The row that has last come to a state in which nothing goes on by itself, and is still there. */
  readonly news = (): Transfer | undefined => {
    const row = this.#rows.find(({ id }) => id === this.#news);
    return row && isNews(row.state) ? row : undefined;
  };

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Adds one, or takes its state again. `replaces`: the id of one that it is instead of. */
  add(record: DownloadRecord, { status, reason, most, saved = false, scanned = false, replaces }: Reported): void {
    this.#checks.get(record.id)?.abort();
    const known = this.#rows.filter(({ id }) => id !== record.id && id !== replaces);
    this.#rows = [{ ...record, state: 'receiving', progress: share(record) }, ...known];
    this.#show(true);
    if (status === 'cancelled') this.cancelled(record.id, reason ?? CANCEL.host, most);
    else if (saved) this.#change(record.id, { state: 'saved', progress: 1, isScanned: scanned });
    else if (status === 'finished') void this.#check(record.id);
    this.#tell();
  }

  /** Lists files that were lost with an earlier session. Their ids are none of the host's. */
  addLost(names: readonly string[]): void {
    const why = { state: 'failed', progress: undefined, reason: 'downloads.session-lost' } as const;
    const facts = { uri: '', asked: false, again: false, key: '', received: 0, ...why };
    this.#rows = [...this.#rows, ...names.map((filename, at) => ({ id: -1 - at, filename, ...facts }))];
    if (names.length > 0) {
      this.#news = -1;
      this.#show(true);
    }
    this.#tell();
  }

  update(id: number, status: 'started' | 'finished', size: Size): void {
    const row = this.#find(id);
    if (!row || isOver(row.state)) return; // the person has stopped it
    this.#change(id, { ...size, progress: share(size) });
    if (status === 'finished') void this.#check(id);
  }

  cancelled(id: number, reason: CancelReason, most?: number): void {
    this.#checks.get(id)?.abort();
    const isBlocked = reason === CANCEL.tooLarge;
    const retry = !isBlocked && this.#find(id)?.again === true ? 'begin' : undefined;
    const text = { reason: REASONS[reason], retry, ...(most !== undefined && { most }) } as const;
    this.#change(id, { state: isBlocked ? 'blocked' : 'failed', ...text });
    if (reason !== CANCEL.user) this.#show(true);
  }

  /** The person stops one. */
  cancel(id: number): void {
    this.#options.cancel(id);
    this.cancelled(id, CANCEL.user);
  }

  /** Has a file checked once more, or begun again. */
  retry(id: number): void {
    const retry = this.#find(id)?.retry;
    if (!retry) return;
    this.#change(id, { asked: true, retry: undefined });
    if (retry === 'check') void this.#check(id);
    else {
      this.#change(id, { state: 'waiting', progress: undefined });
      this.#options.again(id);
    }
  }

  /** Has the browser save a file that the host lets go. */
  save(id: number): void {
    const row = this.#find(id);
    if (!row) return;
    if (row.state === 'saved') void this.#saveAgain(row);
    else this.#save(row);
  }

  #save(row: Transfer): void {
    this.#options.save(row);
    this.#change(row.id, { state: 'saved', progress: 1 });
  }

  /** The host keeps files for a time only. */
  async #saveAgain(row: Transfer): Promise<void> {
    try {
      const end = await this.#options.endOf(row);
      if (end === undefined || end.outcome === 'allowed') this.#save(row);
      else this.#change(row.id, { state: end.outcome, reason: end.reason });
    } catch (thrown) {
      this.#cut(row.id, thrown);
    }
  }

  /** Takes a row away, with what the host has of it. */
  remove(id: number): void {
    this.#checks.get(id)?.abort();
    if (id > 0) this.#options.forget(id);
    this.#rows = this.#rows.filter((each) => each.id !== id);
    if (this.#rows.length === 0) this.#show(false);
    this.#tell();
  }

  /** Closes the tray: rows that are over go, others come back with their next news. */
  close(): void {
    for (const { id, state } of this.#rows) if (isOver(state)) this.remove(id);
    this.#show(false);
  }

  dispose(): void {
    for (const check of this.#checks.values()) check.abort();
  }

  async #check(id: number): Promise<void> {
    const row = this.#find(id);
    if (!row) return;
    const over = new AbortController();
    this.#checks.set(id, over);
    this.#change(id, { state: 'checking', progress: RECEIVING_SHARE });
    try {
      const onState = (state: CheckState): void => {
        // One that is released later is not saved by itself.
        const isKept = state.state === 'quarantined';
        const isNew = isKept && this.#find(id)?.state !== 'quarantined';
        this.#change(id, { ...state, ...(isKept && { asked: false }) });
        if (isNew) this.#show(true);
      };
      const checked = await this.#options.check(row, onState, over.signal);
      if (over.signal.aborted) return;
      if (checked.outcome === 'allowed') {
        this.#change(id, { state: 'allowed', progress: 1, isScanned: checked.isScanned });
        if (this.#find(id)?.asked) this.save(id); // a page that starts one by itself fills nobody's disk
      } else {
        const { outcome, ...why } = checked;
        this.#change(id, { state: outcome, ...why });
      }
      this.#show(true);
    } catch (thrown) {
      if (over.signal.aborted) return;
      this.#cut(id, thrown);
    } finally {
      if (this.#checks.get(id) === over) this.#checks.delete(id);
    }
  }

  /** The connection has failed. */
  #cut(id: number, thrown: unknown): void {
    this.#options.onFault(thrown);
    this.#change(id, { state: 'failed', reason: 'downloads.connection-lost', retry: 'check' });
    this.#show(true);
  }

  #find(id: number): Transfer | undefined {
    return this.#rows.find((each) => each.id === id);
  }

  #change(id: number, change: Partial<Transfer>): void {
    const { state } = change;
    if (state !== undefined && isNews(state) && this.#find(id)?.state !== state) this.#news = id;
    this.#rows = this.#rows.map((each) => (each.id === id ? { ...each, ...change } : each));
    this.#tell();
  }

  #show(isShown: boolean): void {
    if (this.#isShown === isShown) return;
    this.#isShown = isShown;
    this.#options.onShown(isShown);
  }

  #tell(): void {
    this.#options.onUnfinished(this.#rows.filter(isUnfinished).map(({ filename }) => filename));
    for (const listener of [...this.#listeners]) listener();
  }
}

/** Whether nothing more happens to a row by itself. */
export function isOver(state: TransferState): boolean {
  return state === 'saved' || state === 'blocked' || state === 'failed';
}

/** Whether a person who does not look has to know of it. */
const isNews = (state: TransferState): boolean => isOver(state) || state === 'locked' || state === 'quarantined';

/** Whether the person does not have a file yet that they may still get while the session lives. */
const isUnfinished = ({ state }: Transfer): boolean => !isOver(state) && state !== 'quarantined';

function share({ received, total }: Size): number | undefined {
  return total === undefined || total === 0 ? undefined : RECEIVING_SHARE * Math.min(1, received / total);
}
