import type { ActivateExtension } from '../../../core/extension.ts';

/** As much of a request as is used here; the browser's process has made it. */
interface AuthDetails {
  readonly requestId: string;
  readonly url: string;
  readonly type: string;
  readonly tabId: number;
  readonly isProxy: boolean;
  readonly realm?: string;
  readonly initiator?: string;
  readonly challenger: { readonly host: string; readonly port: number };
}
interface AuthAnswer {
  readonly cancel?: true;
  readonly authCredentials?: { readonly username: string; readonly password: string };
}
interface RequestEvent<L> {
  addListener(listener: L, filter: { readonly urls: readonly string[] }, extra?: readonly string[]): void;
  removeListener(listener: L): void;
}
type OnEnd = (details: { readonly requestId: string }) => void;
interface Api {
  readonly webRequest: {
    readonly onAuthRequired: RequestEvent<(details: AuthDetails, settle: (answer: AuthAnswer) => void) => void>;
    readonly onErrorOccurred: RequestEvent<OnEnd>;
  };
  /** As much of these as needs no permission. */
  readonly tabs: {
    get(tab: number): Promise<{ readonly windowId: number }>;
    query(filter: { readonly windowId: number }): Promise<readonly unknown[]>;
  };
  readonly windows: {
    create(options: { readonly tabId: number; readonly focused: false }): Promise<{ readonly id?: number }>;
  };
}

const CANCEL: AuthAnswer = { cancel: true };
const EVERYWHERE = { urls: ['<all_urls>'] };

/**
 * Hears of servers that demand a password, of any request of any page: without an answer, Chromium would wait for a dialog that nobody
 * sees. Which server asks, and which tab, is known from the browser's process. Without a handler the person gets the site's own refusal.
 */
export const activate: ActivateExtension = ({ call }) => {
  const { webRequest, tabs, windows } = (globalThis as typeof globalThis & { readonly chrome: Api }).chrome;
  let waiting = 0;
  const ended: OnEnd = ({ requestId }) => {
    call({ kind: 'over', requestId }).catch(() => undefined); // nobody waits for it
  };
  const ask = async ({
    requestId,
    url,
    type,
    tabId,
    realm,
    initiator,
    challenger,
  }: AuthDetails): Promise<AuthAnswer> => {
    const window = await windowOf(tabId);
    const { host, port } = challenger;
    const answer = await call({ kind: 'ask', requestId, url, type, window, realm, initiator, host, port });
    return (answer as AuthAnswer | null) ?? CANCEL; // from the session half
  };
  /** The window that has this tab alone, by which the host knows it. Rejects for requests of no tab. */
  const windowOf = async (tabId: number): Promise<number | undefined> => {
    const { windowId } = await tabs.get(tabId);
    const others = await tabs.query({ windowId });
    // One that a page has just opened is still in the window of that page.
    return others.length === 1 ? windowId : (await windows.create({ tabId, focused: false })).id;
  };
  webRequest.onAuthRequired.addListener(
    (details, settle) => {
      if (details.isProxy) {
        settle(CANCEL);
        return;
      }
      // Only meanwhile: each failed request would start the worker.
      if (waiting === 0) webRequest.onErrorOccurred.addListener(ended, EVERYWHERE);
      waiting += 1;
      void ask(details)
        .then(settle, () => settle(CANCEL))
        .finally(() => {
          waiting -= 1;
          if (waiting === 0) webRequest.onErrorOccurred.removeListener(ended);
        });
    },
    EVERYWHERE,
    ['asyncBlocking'],
  );
};
