/** What a connection tells its channel. Nothing is told after `closed`. */
export interface ConnectionEvents {
  /** The host knows the session: messages may flow. */
  found(): void;
  /** The host does not know the session: there is no use in trying again. */
  notFound(): void;
  /** One downstream frame (core/protocol/frames.ts). */
  frame(bytes: Uint8Array): void;
  /** `final`: the host closed it on purpose and wants no other. */
  closed(final: boolean): void;
}

/** One open connection. After `close` it tells nothing more. */
export interface Connection {
  /** Sends one message as JSON text. */
  send(text: string): void;
  close(): void;
}

/** A way to reach the host; each attempt to connect is a {@link Connection}. */
export interface Transport {
  readonly mode: 'websocket' | 'xhr';
  /** @throws when the browser refuses to create a connection at all. */
  open(query: URLSearchParams, events: ConnectionEvents): Connection;
}
