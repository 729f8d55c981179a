import { AppError, token } from '../../../host/plugin.ts';

/** What a page asks of authenticators, through `navigator.credentials`. */
export interface CredentialRequest {
  readonly kind: 'create' | 'get';
  /** Of the frame that asks, as Chromium's own process has it. */
  readonly origin: string;
  /** Whether all frames around it are of that origin, too. */
  readonly isSameOrigin: boolean;
  /** As `PublicKeyCredential.parseCreationOptionsFromJSON()`, or that of requests, takes them: hostile. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Aborted when the page does not want it any more. */
  readonly signal: AbortSignal;
}

/** What becomes of it: what `PublicKeyCredential.toJSON()` gives, or the name of the exception. */
export type CredentialOutcome =
  | { readonly ok: true; readonly response: object }
  | { readonly ok: false; readonly error: 'NotAllowedError' | 'NotSupportedError' | 'SecurityError' };

/** Answers a page's request. */
export type CredentialHandler = (request: CredentialRequest) => Promise<CredentialOutcome>;

export const CANCELLED: CredentialOutcome = { ok: false, error: 'NotAllowedError' };

/** Who answers the requests of pages to authenticators, tab by tab. */
export class CredentialDesk {
  readonly #handlers = new Map<string, CredentialHandler>();

  /**
   * Has a handler asked what becomes of the requests of a tab's pages; without one they are refused. It is asked only while the person
   * looks at the tab and has just done something in it. Answers with its undo. @throws AppError `already-handled`.
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
