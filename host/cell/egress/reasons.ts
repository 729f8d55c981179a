/**
 * Why a connection was refused or failed. TLS is not seen here: tunnels are opaque, and Chromium tells the host itself. A site rule may add
 * codes of its own.
 */
export type EgressCode =
  | 'blocked-address'
  | 'blocked-site'
  | 'blocked-service'
  | 'name-not-resolved'
  | 'connection-refused'
  | 'connection-reset'
  | 'connection-closed'
  | 'connection-failed'
  | 'address-unreachable'
  | 'timeout'
  | 'bad-request'
  | 'bad-response'
  | (string & {});

export interface EgressReason {
  readonly code: EgressCode;
  /** For the person: names no address that the page could not know. */
  readonly message: string;
  readonly host: string;
  readonly port: number;
  /** Known for plain http only. */
  readonly url?: string;
  /** `Date.now()` of the failure. */
  readonly at: number;
}

const MAX_REASONS = 256;

/** The latest failure per host and port, until a connection there succeeds. */
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
