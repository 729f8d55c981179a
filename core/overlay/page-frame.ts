import type { Report } from '../events/report.ts';
import { styled } from './styled.ts';

/** Load states of the page frame (S-064). */
const FRAME_STATE = { notLoaded: 0, loading: 1, ready: 2 } as const;

/** Query parameters of a page frame's request (S-109). */
interface PageFrameOptions {
  readonly document: Document;
  readonly origin: string;
  readonly hash: string;
  readonly apiVersion: number;
  /** Style sheet of the frame's document. */
  readonly style: string;
  readonly report: Report;
}

type Call = (frame: HTMLIFrameElement, document: Document) => void;

/** The address of the page frame (S-109). */
function pageFrameAddress({
  origin,
  hash,
  apiVersion,
}: Pick<PageFrameOptions, 'origin' | 'hash' | 'apiVersion'>): string {
  return `/safeview-template/ui.html?${new URLSearchParams({ o: origin, h: hash, a: String(apiVersion) })}`;
}

/**
 * The frame that holds dialogs. It is fetched for the first of them. Calls made before it is ready are queued and run in order. They are
 * notified when it cannot be fetched, and the next call fetches it again.
 */
export class PageFrame {
  readonly #options: PageFrameOptions;
  #frame: HTMLIFrameElement | undefined;
  #state: number = FRAME_STATE.notLoaded;
  #waiting: { readonly call: Call; readonly onFailed: () => void }[] = [];

  constructor(options: PageFrameOptions) {
    this.#options = options;
  }

  /** A value of {@link FRAME_STATE}. */
  get state(): number {
    return this.#state;
  }

  /** Calls back with the frame and its document when they are ready. */
  call(call: Call, onFailed: () => void): void {
    const document = this.#frame?.contentDocument;
    if (this.#state === FRAME_STATE.ready && this.#frame && document) {
      call(this.#frame, document);
      return;
    }
    this.#waiting.push({ call, onFailed });
    if (this.#state === FRAME_STATE.notLoaded) this.#load();
  }

  #load(): void {
    const { document } = this.#options;
    this.#state = FRAME_STATE.loading;
    const frame = document.createElement('iframe');
    this.#frame = frame;
    frame.id = 'vitrine-page-frame';
    frame.hidden = true;
    frame.src = pageFrameAddress(this.#options);
    frame.addEventListener('load', () => void this.#loaded(frame), { once: true });
    document.body.append(frame);
  }

  async #loaded(frame: HTMLIFrameElement): Promise<void> {
    const document = frame.contentDocument;
    const [entry] = frame.contentWindow?.performance.getEntriesByType('navigation') ?? [];
    const status = (entry as PerformanceNavigationTiming | undefined)?.responseStatus || 200; // 0 where the browser does not report it
    if (document?.contentType === 'text/html' && status === 200) {
      await styled(document, this.#options.style);
      this.#state = FRAME_STATE.ready;
      for (const { call } of this.#waiting.splice(0)) call(frame, document);
      return;
    }
    this.#options.report('tc-ui-frame-fetch-failed', { status }, { level: 'error', force: true });
    frame.remove();
    this.#frame = undefined;
    this.#state = FRAME_STATE.notLoaded;
    for (const { onFailed } of this.#waiting.splice(0)) onFailed();
  }
}
