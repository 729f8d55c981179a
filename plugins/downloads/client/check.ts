import type { Transfer } from './transfers.ts';

/** Interval of polls, in ms, and the number of those that may fail in a row (M-033, M-039). */
const POLL_MS = 500;
const MAX_FAILURES = 15;
/** Interval of polls of a file that waits for an administrator, in ms. */
const QUARANTINE_POLL_MS = 10_000;
/** Number of polls after which the text changes (M-035). */
const TEXT_POLLS = 10;
/** Time for which the success is shown, and the time after it until the file is served, in ms (M-036). */
const SUCCESS_MS = 1500;
const SERVE_MS = 200;
const BASE = '/safeview-fileserv/';

/** Calls to the host, by the last part of their address. */
type CallLabel = 'tc_processing' | 'tc_status';
type Reply = Readonly<Record<string, unknown>>;

/** State of a row while it is checked. */
export interface CheckState {
  readonly state: 'checking' | 'waiting' | 'locked' | 'quarantined' | 'allowed';
  readonly progress: number;
  /** Text of the rule that withholds it. */
  readonly message?: string;
}

/** Outcome of a check, with the id of a text that says why. */
export type Checked =
  | { readonly outcome: 'allowed'; readonly isScanned: boolean }
  | { readonly outcome: 'blocked' | 'failed'; readonly reason: string; readonly message?: string };

/** Reports a call to the host that has failed, by its label; `status` is 0 where no answer came (S-106). */
type CallFailed = (label: string, message: string, status: number) => void;

interface CheckOptions {
  readonly onCallFailed: CallFailed;
  readonly onState: (state: CheckState) => void;
  /** The host needs the password of the file, for the first time or once more (M-034). */
  readonly onLocked: (isAgain: boolean) => void;
}

/**
 * Asks the host what becomes of a file, at first where its check stands, until it says so (M-032 to M-039). Rejects when the first call fails,
 * or many of the next ones, which is the end of the download, or when aborted.
 */
export async function checkDownload(
  { key }: Transfer,
  { onCallFailed, onState, onLocked }: CheckOptions,
  signal: AbortSignal,
): Promise<Checked> {
  const ask = (label: CallLabel): Promise<Reply> => post(label, key, onCallFailed, signal);
  let reply = await ask('tc_processing');
  let failures = 0;
  let asked = 0;
  for (let polls = 0; ; polls += 1) {
    try {
      if (polls > 0) reply = await ask('tc_status');
      failures = 0;
    } catch (thrown) {
      failures += 1;
      if (signal.aborted || failures >= MAX_FAILURES) throw thrown;
      await pause(POLL_MS, signal);
      continue;
    }
    const { action } = reply;
    if (action === 'allow') {
      onState({ state: 'allowed', progress: 1 });
      await pause(SUCCESS_MS + SERVE_MS, signal);
      return { outcome: 'allowed', isScanned: reply['scanned'] === true };
    }
    if (action === 'preq') {
      const attempt = Number(reply['attempt']);
      if (attempt > asked) onLocked(attempt > 1);
      asked = Math.max(asked, attempt);
      onState({ state: 'locked', progress: progressOf(reply) });
    } else if (action === 'pending') {
      const state = Math.floor(polls / TEXT_POLLS) % 2 === 0 ? 'checking' : 'waiting';
      onState({ state, progress: progressOf(reply) });
    } else if (isQuarantined(reply)) {
      onState({ state: 'quarantined', progress: 1, ...messageOf(reply) });
      await pause(QUARANTINE_POLL_MS, signal);
      continue;
    } else return endOf(reply);
    await pause(POLL_MS, signal);
  }
}

/** Asks the host once more for a file that it has let go. @returns the end where it has it no longer */
export async function endOfFile(
  { key }: Transfer,
  onCallFailed: CallFailed,
  signal: AbortSignal,
): Promise<Checked | undefined> {
  const reply = await post('tc_status', key, onCallFailed, signal);
  return reply['action'] === 'allow' ? undefined : endOf(reply);
}

/** Texts by the reason of the host. */
const BLOCKED: ReadonlyMap<string, string> = new Map([
  ['infected', 'downloads.infected'],
  ['encrypted', 'downloads.encrypted'],
  ['not-scanned', 'downloads.not-scanned'],
  ['no-scanner', 'downloads.no-scanner'],
]);

function isQuarantined({ block_reasons: reasons }: Reply): boolean {
  return Array.isArray(reasons) && reasons.includes('quarantined');
}

/** Text of a rule for the person. */
function messageOf({ block_details: details }: Reply): { readonly message?: string } {
  const { message } = Object(details) as { readonly message?: unknown };
  return typeof message === 'string' ? { message } : {};
}

/** M-037, M-038. */
function endOf(reply: Reply): Checked {
  const { action, block_reasons: reasons } = reply;
  switch (action) {
    case 'block': {
      const reason = BLOCKED.get(String(reasons)) ?? 'downloads.blocked';
      return { outcome: 'blocked', reason, ...messageOf(reply) };
    }
    case 'expired':
      return { outcome: 'failed', reason: 'downloads.expired' };
    case 'cancel':
      return { outcome: 'failed', reason: 'downloads.canceled' };
    default:
      return { outcome: 'failed', reason: 'downloads.host-failed' };
  }
}

/** Half of the bar, and the other half by the checks that are finished (M-035). */
function progressOf({ plugins }: Reply): number {
  const all: unknown[] = Array.isArray(plugins) ? plugins : [];
  const finished = all.filter((each) => (Object(each) as { readonly status?: unknown }).status === 'FINISHED');
  return 0.5 + (all.length === 0 ? 0 : (0.5 * finished.length) / all.length);
}

async function post(label: CallLabel, key: string, onFailed: CallFailed, signal: AbortSignal): Promise<Reply> {
  const headers = { 'content-type': 'application/json' };
  let status = 0;
  try {
    const body = JSON.stringify({ file_id: key });
    const response = await fetch(BASE + label, { method: 'POST', headers, body, signal });
    status = response.status;
    if (!response.ok) throw new Error(`${label} answered ${status}`);
    return Object((await response.json()) as unknown) as Reply; // its fields are looked at one by one
  } catch (thrown) {
    if (!signal.aborted) onFailed(label, String(thrown), status);
    throw thrown;
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const aborted = (): void => {
      clearTimeout(timer);
      reject(new DOMException('aborted', 'AbortError'));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', aborted);
      resolve();
    }, ms);
    signal.addEventListener('abort', aborted, { once: true });
    if (signal.aborted) aborted();
  });
}
