/** Why a connection has gone: the network, its host's own failure, or the host's wish that this client does not come again. */
export type Ended = 'network' | 'server' | 'final';

/** Events that a connection reports to its line: none before `open` has returned, none after `closed`. */
export interface ConnectionEvents {
  /** The host knows the session: messages may flow. */
  found(): void;
  /** The host does not know the session: there is no use in trying again. */
  notFound(): void;
  /** One downstream frame (core/protocol/frames.ts). */
  frame(bytes: Uint8Array): void;
  /** A round trip that the transport has measured by itself: milliseconds. */
  roundTrip(ms: number): void;
  closed(why: Ended): void;
}

/** One open connection. After `close` it tells nothing more. */
export interface Connection {
  /** Sends one message as JSON text. */
  send(text: string): void;
  close(): void;
  /** Pulls now, if it waits to pull later: the window has become active. */
  wake?(): void;
}

/** Names of the channel in a request. */
export interface ChannelNames {
  /** Names of the session and the channel: cid, rid, tab_id, cl, chid, xid (M-073, M-074, S-126). */
  readonly query: Readonly<Record<string, string>>;
  /** The number up to which all downstream messages have arrived, now: goes as `msg_nr` (M-074). */
  readonly received: () => number;
}

/** A way to reach the host; each attempt to connect is a {@link Connection}. */
export interface Transport {
  readonly mode: 'websocket' | 'xhr';
  /** @throws when the browser refuses to create a connection at all. */
  open(names: ChannelNames, events: ConnectionEvents): Connection;
  /** Whether websockets pass, where this transport stands in for them. Never rejects. */
  websocketsPass?(): Promise<boolean>;
}

/** The query of one request. */
export function queryOf({ query, received }: ChannelNames, more: Readonly<Record<string, string>> = {}): string {
  return String(new URLSearchParams({ ...query, msg_nr: String(received()), ...more }));
}
