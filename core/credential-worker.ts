/**
 * The service worker of the surrogate's extension: takes over what pages ask of authenticators, which a surrogate has none of, and
 * hands it to the host through a binding. Where nobody listens, pages are refused as when a person cancels.
 */
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
/** Of `chrome.webAuthenticationProxy`, what is used here. */
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
  /** The host's binding, while it listens. */
  readonly vitrineCredentials?: (json: string) => void;
  /** For the host to call. */
  vitrineSettle?: (kind: Kind, answer: ProxyAnswer) => Promise<void>;
};
const proxy = world.chrome.webAuthenticationProxy;

const settle = (kind: Kind, answer: ProxyAnswer): Promise<void> =>
  kind === 'create' ? proxy.completeCreateRequest(answer) : proxy.completeGetRequest(answer);
const ask =
  (kind: Kind) =>
  ({ requestId, requestDetailsJson }: ProxyRequest): void => {
    if (world.vitrineCredentials)
      world.vitrineCredentials(JSON.stringify({ kind, requestId, options: requestDetailsJson }));
    else void settle(kind, { requestId, error: { name: 'NotAllowedError', message: '' } });
  };
proxy.onCreateRequest.addListener(ask('create'));
proxy.onGetRequest.addListener(ask('get'));
proxy.onRequestCanceled.addListener((requestId) => {
  world.vitrineCredentials?.(JSON.stringify({ kind: 'cancel', requestId }));
});
// Whether the person's browser could is not known before it is asked, and it cannot in most.
proxy.onIsUvpaaRequest.addListener(({ requestId }) => {
  void proxy.completeIsUvpaaRequest({ requestId, isUvpaa: false });
});
world.vitrineSettle = settle;
void proxy.attach();
