import type { Piece } from '../../../core/protocol/bodies/pieces.ts';
import type { Packet } from '../../../core/protocol/endpoint.ts';
import type { AppError } from '../../../core/protocol/errors.ts';
import { decodeFrame, KIND, Reassembly } from '../../../core/protocol/frames.ts';
import { LANES } from '../../../core/protocol/lanes.ts';
import { Inbox } from '../../../core/protocol/sequence.ts';
import { decodeJson, decodeSequenced, parseControl } from '../../../core/protocol/wire.ts';
import type { Control } from '../../../core/protocol/wire.ts';
import type { ChannelTransport } from '../channel/channel-transport.ts';
import { Channel } from '../channel/channel.ts';

interface Arrival {
  readonly seq: number;
  readonly lane: string;
  readonly packet: Packet;
}

/** A client's end: decodes what comes, acknowledges nothing by itself. */
export class Peer implements ChannelTransport {
  readonly arrivals: Arrival[] = [];
  readonly controls: Control[] = [];
  readonly order: string[] = [];
  frames = 0;
  waiting = 0;
  closed: string | undefined;
  readonly #listeners = new Set<() => void>();
  readonly #reassembly = new Reassembly();
  readonly #inbox: Inbox;

  constructor(inbox = new Inbox()) {
    this.#inbox = inbox;
  }

  send(frame: Uint8Array): void {
    this.frames += 1;
    for (const part of decodeFrame(frame)) {
      const entry = this.#reassembly.take(part);
      if (part.kind === KIND.partial) this.order.push('partial');
      if (!entry) continue;
      if (entry.kind === KIND.control) {
        const control = parseControl(decodeJson(entry.body));
        if (control.skip !== undefined) this.#inbox.skip(control.skip);
        this.controls.push(control);
        if (control.bye !== undefined) this.order.push('bye');
        continue;
      }
      const { seq, lane, body } = decodeSequenced(entry.body);
      this.order.push(lane);
      if (this.#inbox.accept(seq) && body.length > 0)
        this.arrivals.push({ seq, lane, packet: decodeJson(body) as Packet });
    }
  }

  get pending(): number {
    return this.waiting;
  }

  onPending(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Sets the number of bytes pending in the transport, and notifies the listeners. */
  drain(waiting = 0): void {
    this.waiting = waiting;
    for (const listener of [...this.#listeners]) listener();
  }

  close(reason: string): void {
    this.closed = reason;
  }

  get received(): number {
    return this.#inbox.acknowledged;
  }

  get texts(): unknown[] {
    return this.arrivals.map(({ packet }) => packet[1]);
  }
}

/** A channel, and what it tells. */
export function open() {
  const packets: Packet[] = [];
  const pieces: Piece[] = [];
  const attached: boolean[] = [];
  const lagging: boolean[] = [];
  const faults: AppError[] = [];
  const detached: string[] = [];
  const channel = new Channel({
    onPacket: (packet) => void packets.push(packet),
    onPiece: (piece) => void pieces.push(piece),
    onRoom: () => undefined,
    onAttached: (fresh) => void attached.push(fresh),
    onDetached: (reason) => void detached.push(reason),
    onLagging: (is) => void lagging.push(is),
    onFault: (fault) => void faults.push(fault),
  });
  return { channel, packets, pieces, attached, lagging, faults, detached };
}

/** Waits until what is said in this turn has gone out. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
/** A message of a client as it arrives. */
export const upstream = (seq: number, ...packet: unknown[]): unknown => [seq, LANES.input, ...packet];
