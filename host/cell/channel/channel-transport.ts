/** The cell's end of a transport that carries a logical channel for a while: frames go out, credit comes back. */
export interface ChannelTransport {
  /** Sends one downstream frame (core/protocol/frames.ts). */
  send(frame: Uint8Array): void;
  /** Bytes handed to `send` that have not left for the client yet: the measure of back-pressure. */
  readonly pending: number;
  /** Calls the listener whenever `pending` falls. Answers with its undo. */
  onPending(listener: () => void): () => void;
  /** Longest time that an acknowledgement may wait for other messages, in ms, where each answer costs a request. */
  readonly ackDelayMs?: number;
  /** Closes the transport; `reason` is told to the client where it has a way. */
  close(reason: string): void;
}
