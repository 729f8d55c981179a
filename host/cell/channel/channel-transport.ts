/** A channel that a transport is attached to. */
export interface ChannelEnd {
  /** One upstream message: parsed JSON as the client sent it, unchecked. */
  receive(value: unknown): void;
  /** The transport is gone. */
  detach(reason: string): void;
}

/** The cell's end of a transport that carries a logical channel for some time: frames go out, credit comes back. */
export interface ChannelTransport {
  /** Sends one downstream frame (core/protocol/frames.ts). */
  send(frame: Uint8Array): void;
  /** Bytes passed to `send` that have not left for the client yet: used for back-pressure. */
  readonly pending: number;
  /** Calls the listener whenever `pending` falls. Returns a function that unregisters it. */
  onPending(listener: () => void): () => void;
  /** Maximum delay of an acknowledgement, in ms, where each answer costs a request. */
  readonly ackDelayMs?: number;
  /** Closes the transport; `reason` is sent to the client where the transport can. */
  close(reason: string): void;
}
