/** Person of a request. Every token is bound to the subject. */
export interface Person {
  /** Opaque and stable: the cookie's subject on the embedded default, later the OIDC one. */
  readonly subject: string;
  readonly tenant: string;
  readonly groups: readonly string[];
  /** Origin by which the person reaches the gateway: `http://localhost:7700`. */
  readonly origin: string;
  /**
   * Client's network as far as cells, bodies and space for events are shared out by it: an IPv4 address, or an IPv6 /48; absent for this
   * machine's own, where nobody else reaches the host.
   */
  readonly address?: string;
}
