import { AppError, token } from '../../../host/plugin.ts';

/** A request of a page to authenticators, through `navigator.credentials`. */
export interface CredentialRequest {
  readonly kind: 'create' | 'get';
  /** Origin of the requesting frame, as Chromium's browser process reports it. */
  readonly origin: string;
  /** Whether all ancestor frames have that origin too. */
  readonly isSameOrigin: boolean;
  /** Options as JSON for `PublicKeyCredential.parseCreationOptionsFromJSON()` or `parseRequestOptionsFromJSON()`. Untrusted. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Aborted when the page cancels the request. */
  readonly signal: AbortSignal;
}

/** The result: JSON as from `PublicKeyCredential.toJSON()`, or the name of the exception. */
export type CredentialOutcome =
  | { readonly ok: true; readonly response: object }
  | { readonly ok: false; readonly error: 'NotAllowedError' | 'NotSupportedError' | 'SecurityError' };

/** Handles a page's request. */
export type CredentialHandler = (request: CredentialRequest) => Promise<CredentialOutcome>;

export const CANCELLED: CredentialOutcome = { ok: false, error: 'NotAllowedError' };

/** Dispatches requests of pages to authenticators to the handler of their tab. */
export class CredentialDesk {
  readonly #handlers = new Map<string, CredentialHandler>();

  /**
   * Sets the handler for requests of a tab's pages; without one they are rejected. It is only called while the person views the tab and has
   * just made a gesture in it. Returns its undo function. @throws AppError `already-handled`.
   */
  handle(tab: string, handler: CredentialHandler): () => void {
    if (this.#handlers.has(tab)) throw new AppError('already-handled', 'credentials have a handler already');
    this.#handlers.set(tab, handler);
    return () => {
      if (this.#handlers.get(tab) === handler) this.#handlers.delete(tab);
    };
  }

  has(tab: string): boolean {
    return this.#handlers.has(tab);
  }

  async ask(tab: string, request: CredentialRequest): Promise<CredentialOutcome> {
    return (await this.#handlers.get(tab)?.(request)) ?? CANCELLED;
  }
}

/** The session's credential desk. */
export const credentialDeskToken = token<CredentialDesk>('webauthn.credential-desk');
