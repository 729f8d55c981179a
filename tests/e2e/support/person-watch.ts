import type { BrowserContext, Page, Request } from 'playwright';
import { MARK, MARK_GLOBAL } from './hostile-pages.ts';

/**
 * Paths that frames inside the shell may request from the host: pictures and the like by token, and the view's empty
 * documents.
 */
const VIEW_PATHS = /^\/(?:c\/[ifms]\/[\w.-]+|safeview-template\/(?:view\/[\w-]+|ui\.html))$/;

/** Effects of a page on the person's browser. */
export interface PersonWatch {
  /** Names of payloads that have run. */
  readonly executed: ReadonlySet<string>;
  /**
   * All findings as text; the list must be empty: code that has run, requests to anything but the host, forbidden
   * requests of the view, windows, dialogs, downloads, workers.
   */
  findings(): Promise<string[]>;
}

/** Options of a watch. */
interface WatchOptions {
  /** Requests that the content security policy has blocked do not count: nothing has left the browser. */
  readonly mayBeStopped?: boolean;
  /** Windows at the host's own address do not count: the page may open windows, and they are isolated, too. */
  readonly mayOpen?: boolean;
}

/** Watches a context from now on. `origin` is the host's, the only one that it may use. */
export function watchPerson(
  context: BrowserContext,
  origin: string,
  { mayBeStopped = false, mayOpen = false }: WatchOptions = {},
): PersonWatch {
  const executed = new Set<string>();
  const strayed: string[] = [];
  const windows: { readonly opened: Page; readonly at: string }[] = [];
  const requests = new Map<Request, string>();
  const { host } = new URL(origin);

  const request = (asked: Request): void => {
    const url = new URL(asked.url());
    // The sanitizer's substitute for a refused address: the browser sends nothing for it.
    if (url.href === 'about:invalid') return;
    if (url.protocol === 'data:' || url.protocol === 'blob:') {
      if (asked.isNavigationRequest()) requests.set(asked, `a navigation to ${url.href.slice(0, 100)}`);
    } else if (url.origin !== origin) requests.set(asked, `a request to ${url.href.slice(0, 200)}`);
    else if (isOfView(asked) && !VIEW_PATHS.test(url.pathname))
      requests.set(asked, `a request of the view to ${url.pathname}`);
  };
  const page = (opened: Page, isFirst: boolean): void => {
    if (!isFirst) windows.push({ opened, at: opened.url() });
    opened.on('console', (message) => {
      // Within a message it is a payload's text, which the browser quotes where it reports a blocked action.
      if (message.text().startsWith(MARK)) executed.add(message.text().slice(MARK.length));
    });
    opened.on('dialog', (dialog) => {
      strayed.push(`a dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    opened.on('download', (download) => strayed.push(`a download of ${download.url()}`));
    opened.on('worker', (worker) => strayed.push(`a worker at ${worker.url()}`));
    opened.on('websocket', (socket) => {
      if (new URL(socket.url()).host !== host) strayed.push(`a websocket to ${socket.url()}`);
    });
  };
  context.on('request', request);
  context.on('requestfailed', (failed) => {
    if (mayBeStopped && failed.failure()?.errorText === 'csp') requests.delete(failed);
  });
  for (const open of context.pages()) page(open, true);
  const known = context.pages().length;
  context.on('page', (opened) => page(opened, known === 0 && context.pages().length === 1));

  return {
    executed,
    async findings() {
      const found = [...[...executed].map((name) => `${name} has run`), ...strayed, ...requests.values()];
      for (const { opened, at } of windows) if (!mayOpen || !isAt(opened, origin)) found.push(`a window at ${at}`);
      for (const open of context.pages())
        for (const frame of open.frames()) {
          if (frame.isDetached()) continue;
          const isMarked = await frame.evaluate((name) => name in globalThis, MARK_GLOBAL).catch(() => false); // it is closed
          if (isMarked) found.push(`a global is set in ${frame.url()}`);
        }
      return found;
    },
  };
}

/** Whether a window shows the shell of the host, or does not show anything yet. */
function isAt(opened: Page, origin: string): boolean {
  const { protocol, origin: shown } = new URL(opened.url() || 'about:blank');
  return shown === origin || protocol === 'about:';
}

function isOfView(asked: Request): boolean {
  try {
    const frame = asked.frame();
    // The frame of the product's own dialogs is the shell's, not the page's.
    return (
      frame.parentFrame() !== null && new URL(frame.url(), 'about:blank').pathname !== '/safeview-template/ui.html'
    );
  } catch {
    return false; // the first request of a window, before it has a frame
  }
}
