/**
 * Reason why a connection was refused or failed. TLS errors are not visible here: tunnels are opaque, and Chromium
 * reports them to the host. A site rule may add codes of its own.
 */
export type EgressCode =
  | 'blocked-address'
  | 'blocked-port'
  | 'blocked-site'
  | 'blocked-service'
  | 'own-service'
  | 'name-not-resolved'
  | 'connection-refused'
  | 'connection-reset'
  | 'connection-closed'
  | 'connection-failed'
  | 'address-unreachable'
  | 'timeout'
  | 'too-many-names'
  | 'too-many-connections'
  | 'bad-request'
  | 'bad-response'
  | (string & {});

export interface EgressReason {
  readonly code: EgressCode;
  /** Text for the person: contains no address that the page could not know. */
  readonly message: string;
  readonly host: string;
  readonly port: number;
  /** Known for plain http only. */
  readonly url?: string;
  /** `Date.now()` of the failure. */
  readonly at: number;
}

const MAX_REASONS = 256;

/** Keeps the latest failure per host and port, until a connection there succeeds. */
export class Reasons {
  readonly #latest = new Map<string, EgressReason>();

  add(reason: EgressReason): void {
    const key = `${reason.host}:${reason.port}`;
    this.#latest.delete(key);
    this.#latest.set(key, reason);
    for (const oldest of this.#latest.keys()) {
      if (this.#latest.size <= MAX_REASONS) break;
      this.#latest.delete(oldest);
    }
  }

  clear(host: string, port: number): void {
    this.#latest.delete(`${host}:${port}`);
  }

  get(host: string, port: number): EgressReason | undefined {
    return this.#latest.get(`${host}:${port}`);
  }
}
