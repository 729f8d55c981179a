import type { ActivateExtension } from '../../../core/extension.ts';

interface ProxyRequest {
  readonly requestId: number;
  readonly requestDetailsJson: string;
}
interface ProxyAnswer {
  readonly requestId: number;
  readonly responseJson?: string;
  readonly error?: { readonly name: string; readonly message: string };
}
interface ProxyEvent<T> {
  addListener(listener: (event: T) => void): void;
}
/** The parts of `chrome.webAuthenticationProxy` that are used here. */
interface AuthenticationProxy {
  readonly onCreateRequest: ProxyEvent<ProxyRequest>;
  readonly onGetRequest: ProxyEvent<ProxyRequest>;
  readonly onIsUvpaaRequest: ProxyEvent<{ readonly requestId: number }>;
  readonly onRequestCanceled: ProxyEvent<number>;
  attach(): Promise<string | undefined>;
  completeCreateRequest(answer: ProxyAnswer): Promise<void>;
  completeGetRequest(answer: ProxyAnswer): Promise<void>;
  completeIsUvpaaRequest(answer: { readonly requestId: number; readonly isUvpaa: boolean }): Promise<void>;
}
type Kind = 'create' | 'get';

const world = globalThis as typeof globalThis & {
  readonly chrome: { readonly webAuthenticationProxy: AuthenticationProxy };
};
const CANCELLED = { error: { name: 'NotAllowedError', message: '' } };

/**
 * Receives requests of pages to authenticators, which a surrogate does not have, and forwards them to the session half. Without a handler,
 * pages are rejected as when a person cancels.
 */
export const activate: ActivateExtension = ({ call }) => {
  const proxy = world.chrome.webAuthenticationProxy;
  const answer = async (kind: Kind, { requestId, requestDetailsJson: options }: ProxyRequest): Promise<void> => {
    const given = (await call({ kind, requestId, options }).catch(() => CANCELLED)) as Omit<ProxyAnswer, 'requestId'>; // from the session half
    const settled = { ...given, requestId };
    await (kind === 'create' ? proxy.completeCreateRequest(settled) : proxy.completeGetRequest(settled));
  };
  const take =
    (kind: Kind) =>
    (request: ProxyRequest): void => {
      answer(kind, request).catch(() => undefined); // the page has cancelled it in the meantime
    };
  proxy.onCreateRequest.addListener(take('create'));
  proxy.onGetRequest.addListener(take('get'));
  proxy.onRequestCanceled.addListener((requestId) => {
    call({ kind: 'cancel', requestId }).catch(() => undefined); // nothing to cancel in that case
  });
  // The capability of the person's browser is unknown before it is asked, and most cannot.
  proxy.onIsUvpaaRequest.addListener(({ requestId }) => {
    void proxy.completeIsUvpaaRequest({ requestId, isUvpaa: false });
  });
  void proxy.attach();
};
