import type { Helper, HelperMethod, HelperProgress } from '../../contracts/cross-origin-frame.ts';
import type { Report } from '../../events/report.ts';
import { AppError } from '../../protocol/errors.ts';
import type { SessionInfo } from '../shell/session-info.ts';
import { parseFromHelper } from './wire.ts';
import type { FromHelper, ToHelper } from './wire.ts';

/** Time in ms after which a helper that has not registered is abandoned for the one at the cluster host (S-137). */
const HELPER_LOAD_MS = 2500;
/** Timeout of a call, in ms. Uploads report progress and have no timeout. */
const CALL_MS = 30_000;

/** Dependencies of a helper frame. */
interface HelperFrameOptions {
  readonly window: Window & typeof globalThis;
  /** Origins to try, in order: inspect host, then cluster host. */
  readonly origins: readonly string[];
  readonly report: Report;
}

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (fault: AppError) => void;
  readonly onProgress: HelperProgress | undefined;
  readonly timer: ReturnType<typeof setTimeout> | undefined;
}

/** Opens the helper of a shell. */
export function openHelper(
  window: Window & typeof globalThis,
  { INSPECT_DOMAIN, CLUSTER_DOMAIN }: Pick<SessionInfo, 'INSPECT_DOMAIN' | 'CLUSTER_DOMAIN'>,
  report: Report,
): Helper {
  const { protocol } = window.location;
  const origins = [INSPECT_DOMAIN, CLUSTER_DOMAIN].flatMap((domain) => {
    const url = /^[\w.:[\]-]+$/.test(domain) ? URL.parse(`${protocol}//${domain}`) : null;
    if (url) return [url.origin];
    report('tc-commframe-invalid-domain', { domain }, { level: 'error' });
    return [];
  });
  return new HelperFrame({ window, origins, report });
}

/** The shell's side of the cross-origin helper frame (S-136). */
export class HelperFrame implements Helper {
  readonly #options: HelperFrameOptions;
  readonly #waiting = new Map<number, Waiting>();
  #origins: readonly string[];
  #calls = 0;
  #opened: Promise<void> | undefined;
  #frame: HTMLIFrameElement | undefined;
  #origin = '';
  #onRegistered: (() => void) | undefined;

  constructor(options: HelperFrameOptions) {
    this.#options = options;
    this.#origins = options.origins;
    options.window.addEventListener('message', (event) => this.#receive(event));
  }

  async call(method: HelperMethod, params: object, file?: Blob, onProgress?: HelperProgress): Promise<unknown> {
    this.#opened ??= this.#open();
    try {
      await this.#opened;
    } catch (thrown) {
      this.#opened = undefined; // the next call retries
      throw thrown;
    }
    const id = ++this.#calls;
    return new Promise((resolve, reject) => {
      const late = (): void => this.#settle(id, ({ reject: fail }) => fail(failed(method, 'no answer in time')));
      this.#waiting.set(id, { resolve, reject, onProgress, timer: file ? undefined : setTimeout(late, CALL_MS) });
      this.#send({ kind: 'call', id, method, params: { ...params } }, file);
    });
  }

  async useInspectHost(use: boolean): Promise<void> {
    const [inspect, ...others] = this.#options.origins;
    const origins = use ? this.#options.origins : others;
    if (inspect === undefined || origins.length === 0 || origins[0] === this.#origins[0]) return;
    this.#origins = origins;
    this.#frame?.remove();
    this.#opened = undefined; // the next call opens a new frame
  }

  async #open(): Promise<void> {
    for (const origin of this.#origins) {
      if (await this.#load(origin)) return;
      this.#options.report('tc-cof-client-inspect-host-unreachable', { origin }, { level: 'warning', force: true });
    }
    throw new AppError('helper-unreachable', 'the helper frame could not be loaded', { retryable: true });
  }

  #load(origin: string): Promise<boolean> {
    const { document, location } = this.#options.window;
    const frame = document.createElement('iframe');
    frame.hidden = true;
    frame.title = 'Vitrine helper';
    frame.src = `${origin}/safeview-template/cof.html?${new URLSearchParams({ o: location.origin })}`;
    this.#frame = frame;
    this.#origin = origin;
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        frame.remove();
        resolve(false);
      }, HELPER_LOAD_MS);
      this.#onRegistered = () => {
        clearTimeout(timer);
        resolve(true);
      };
      document.body.append(frame);
    });
  }

  /** Accepts only JSON of a known kind from the helper's origin (S-095). */
  #receive({ source, origin, data }: MessageEvent): void {
    if (source === this.#options.window) return; // extensions of the person's browser post messages to this window
    if (origin !== this.#origin || source !== this.#frame?.contentWindow) {
      this.#options.report('tc-cof-client-unexpected-origin', { origin }, { level: 'warning' });
      return;
    }
    const message = parseFromHelper(data);
    if (message) this.#take(message);
    else this.#options.report('tc-cof-client-unexpected-message', { origin }, { level: 'warning' });
  }

  #take(message: FromHelper): void {
    switch (message.kind) {
      case 'register':
        this.#send({ kind: 'registered' });
        this.#onRegistered?.();
        break;
      case 'progress':
        this.#waiting.get(message.id)?.onProgress?.(message.share);
        break;
      case 'load':
        this.#settle(message.id, ({ resolve }) => resolve(message.result));
        break;
      case 'error':
        this.#settle(message.id, ({ reject }) => reject(failed('helper', message.why)));
    }
  }

  #settle(id: number, how: (waiting: Waiting) => void): void {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    this.#waiting.delete(id);
    clearTimeout(waiting.timer);
    how(waiting);
  }

  #send(message: ToHelper, file?: Blob): void {
    const text = JSON.stringify(message);
    this.#frame?.contentWindow?.postMessage(file ? [text, file] : text, this.#origin);
  }
}

function failed(what: string, why: string): AppError {
  return new AppError('helper-failed', `${what}: ${why}`);
}
