import { errorFrom, OPCODE_BODY, OPCODE_REPLY } from '../endpoint.ts';
import { hasBody } from '../body.ts';
import type { BodyKind, ByteStream } from '../body.ts';
import type { BodyShapes, Given, Packet } from '../endpoint.ts';
import type { Lane } from '../lanes.ts';
import { AppError, toAppError } from '../errors.ts';
import { byteBudget, IncomingBody } from './incoming.ts';
import type { ByteBudget } from './incoming.ts';
import { LaneQueue } from './lane-queue.ts';
import { OutgoingBody, tooLarge } from './outgoing.ts';
import { PIECE_BYTES } from './pieces.ts';
import type { Piece } from './pieces.ts';
import { onAbort } from '../on-abort.ts';

/** Bytes of one body that may wait to be read, unless a carrier says otherwise. */
export const WINDOW_BYTES = 512 * 1024;
/** Largest body of kind `bytes`, unless its message says otherwise. */
export const BYTES_MAX = 16 * 1024 * 1024;
/** Bodies that may be open at a time, in each direction. */
export const MAX_OPEN_BODIES = 32;
/** Bodies that may have come before their messages. */
const MAX_UNCLAIMED = 32;
/** A body whose receiver takes nothing for so long is aborted, in ms: longer than a client tries to reconnect. */
export const STALL_MS = 120_000;
/** A body that its message, or the lane behind it, waits for is given up when nothing of it comes for so long. */
export const WAIT_MS = 60_000;
const CHECK_MS = 5000;
/** Bodies that are remembered as over, so that what still comes of them is dropped. */
const MAX_REMEMBERED = 512;

/** How pieces get to the other side. */
interface PieceTransport {
  /** Sends a packet, as the endpoint does. */
  transmit(lane: Lane, packet: Packet): void;
  /**
   * Hands over a piece: those of one body arrive in order, and each once. They may be overtaken by all else, and overtake it.
   */
  piece(piece: Piece): void;
  /** False while enough is on its way; {@link BodyCarrier.resume} is called when that changes. */
  isReady(): boolean;
  /** The carrier is closed: nothing more is handed over. */
  close?(): void;
}

/** Options of a carrier. */
export interface CarrierOptions {
  readonly transport: PieceTransport;
  readonly windowBytes?: number;
  /** Shared with other carriers. */
  readonly budget?: ByteBudget;
  /** Reads the text that a piece travels as, where the transport carries no binary. @throws what is reported as `bad-packet`. */
  readonly fromText?: (text: string) => Uint8Array;
  /** Called when the other side violates the protocol. */
  readonly onFault: (fault: AppError) => void;
}

/** Longest text of a piece, in UTF-16 units. */
const MAX_TEXT = 2 * PIECE_BYTES;

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0; // a number, then

/** A piece as a packet, for transports that carry no binary. */
export function pieceAsText({ id: body, isLast }: Piece, text: string): Packet {
  return [OPCODE_BODY, ['piece', body, text, isLast ? 1 : 0]];
}

/**
 * Carries the bodies of one endpoint's messages in pieces, which may be overtaken by other messages. The receiver grants credit as
 * its reader reads, so that both sides keep a window of each body and no more.
 */
export class BodyCarrier {
  readonly #options: CarrierOptions;
  readonly #budget: ByteBudget;
  /** With what is to be undone when a body is over. */
  readonly #outgoing = new Map<number, { readonly body: OutgoingBody; readonly undo: () => void }>();
  readonly #incoming = new Map<number, IncomingBody>();
  /** Incoming bodies that are over, and why. */
  readonly #over = new Map<number, AppError>();
  readonly #lanes = new LaneQueue();
  readonly #waitedFor = new Set<IncomingBody>();
  #last = 0;
  #closed: AppError | undefined;
  #isResuming = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: CarrierOptions) {
    this.#options = options;
    this.#budget = options.budget ?? byteBudget();
  }

  /** Bodies that are open, both ways. */
  get openBodies(): number {
    return this.#outgoing.size + this.#incoming.size;
  }

  /**
   * Transmits a packet of a message, or of the answer to one, with the number of a body, and sends that behind it; `onProgress` is called whenever the
   * receiver takes some of it. Answers what aborts it.
   *
   * @throws AppError `body-too-large`, `too-many-bodies`, `aborted`, or what transmitting throws; nothing is sent then.
   */
  send(
    packet: Packet,
    shapes: BodyShapes,
    { body, signal }: Given,
    onProgress: () => void = () => undefined,
  ): (reason: AppError) => void {
    if (!body) throw new AppError('bad-body', 'there is no body to send');
    if (this.#closed) throw this.#closed;
    if (this.#outgoing.size >= MAX_OPEN_BODIES)
      throw new AppError('too-many-bodies', 'too many bodies are being sent', { retryable: true });
    const bound = boundOf(packet[0] === OPCODE_REPLY ? shapes.resultBody : shapes.body, shapes);
    if ('length' in body && body.length > bound) throw tooLarge(bound);
    if (signal?.aborted) throw aborted(signal);
    const number = this.#last + 1;
    const [op, params, call = 0, after] = packet;
    this.#options.transport.transmit(shapes.lane, [op, params, call, after, number]);
    this.#last = number;
    const outgoing = new OutgoingBody({
      id: number,
      source: body,
      maxBytes: bound,
      onProgress,
      onReady: () => this.resume(),
      onFailed: (fault) => this.#abort(number, fault),
    });
    const stop = (reason: AppError): void => this.#abort(number, reason);
    const listener = (): void => stop(aborted(signal));
    const undo = signal ? onAbort(signal, listener) : () => undefined;
    this.#outgoing.set(number, { body: outgoing, undo });
    this.#watch();
    this.resume();
    return stop;
  }

  /**
   * Runs what takes a packet, once its body is there, which `run` is given, and what came before it in its `line`, or lane, has been taken; at once
   * where nothing is to be waited for. Answers what `run` does, or a promise of it; a body whose `run` fails is cancelled.
   *
   * @throws AppError, or rejects with it, when there is a body where none belongs, none where one does, or it does not arrive.
   */
  receive(
    packet: Packet,
    shapes: BodyShapes,
    run: (...body: unknown[]) => unknown,
    line: string = shapes.lane,
  ): unknown {
    if (this.#lanes.isHeld(line))
      return new Promise((resolve, reject) => {
        const again = (): void => {
          try {
            resolve(this.receive(packet, shapes, run, line));
          } catch (thrown) {
            reject(toAppError(thrown));
          }
        };
        this.#lanes.keep(line, packet, again);
      });
    const { body: kind } = shapes;
    if (!hasBody(kind) && !packet[4]) return run();
    const body = this.#claim(packet, kind, shapes);
    return kind === 'stream' ? running(body, run) : this.#collect(body, line, run);
  }

  /** Adds its body to the result that a packet has brought. @throws AppError, or rejects with it, as {@link receive}. */
  answer(packet: Packet, shapes: BodyShapes, result: unknown): unknown {
    const { resultBody: kind } = shapes;
    const body = this.#claim(packet, kind, shapes);
    return kind === 'stream' ? { result, body } : this.#collect(body, undefined, (bytes) => ({ result, body: bytes }));
  }

  /** Nobody takes this packet, nor its body. */
  refuse([, , , , number]: Packet, reason: AppError): void {
    const body = this.#incoming.get(number ?? 0);
    if (body) body.cancel(reason);
    else if (number) this.#forget(number, reason);
  }

  /**
   * Handles a packet about bodies: `credit`, a body's number, how many bytes of it the receiver takes in all; `abort` by the sender or `cancel` by the
   * receiver, the number, an error; `piece`, the number, its bytes as text, 1 for the last, where no binary is carried; `reset`: the other
   * side has lost what was on its way.
   */
  control(params: unknown): void {
    const [what, number, value, last] = Array.isArray(params) ? (params as unknown[]) : [];
    if (what === 'reset') {
      this.#drop(new AppError('bodies-lost', 'the connection has lost what was on its way', { retryable: true }), true);
    } else if (!isCount(number) || number === 0) {
      this.#options.onFault(new AppError('bad-packet', 'not a message about bodies'));
    } else if (what === 'credit' && isCount(value)) {
      this.#outgoing.get(number)?.body.credit(value);
      this.resume();
    } else if (what === 'cancel') {
      this.#finish(number)?.stop();
    } else if (what === 'abort') {
      const fault = errorFrom(value);
      this.#remember(number, fault);
      this.#incoming.get(number)?.fail(fault);
    } else if (what === 'piece' && typeof value === 'string' && value.length <= MAX_TEXT) {
      this.#takeText(number, value, last === 1);
    } else this.#options.onFault(new AppError('bad-packet', 'not a message about bodies'));
  }

  /** Takes a piece from the transport. Never throws. */
  take({ id: number, bytes, isLast }: Piece): void {
    if (this.#closed || this.#over.has(number)) return;
    try {
      (this.#incoming.get(number) ?? this.#begin(number, false)).take(bytes, isLast);
    } catch (thrown) {
      this.#options.onFault(toAppError(thrown));
    }
  }

  /** Hands over what may go now: a piece of each body in turn. */
  resume(): void {
    if (this.#isResuming) return;
    this.#isResuming = true;
    const { transport } = this.#options;
    for (const [number, open] of this.#outgoing) {
      if (!transport.isReady()) break;
      const piece = open.body.next();
      if (!piece) continue;
      // The others first, before it has another turn in this loop.
      this.#outgoing.delete(number);
      if (piece.isLast) open.undo();
      else this.#outgoing.set(number, open);
      transport.piece(piece);
    }
    this.#isResuming = false;
  }

  /** Drops all bodies, on either side, as data in transit is lost. `isNew`: the other side is another one, and counts its bodies from 1. */
  restart(reason: AppError, isNew: boolean): void {
    if (this.#last === 0 && this.#over.size === 0 && this.openBodies === 0) return;
    this.#drop(reason, false);
    if (isNew) this.#over.clear();
    else this.#options.transport.transmit('control', [OPCODE_BODY, ['reset']]);
  }

  /** Aborts all outgoing bodies, as the data sent last is lost. */
  abort(reason: AppError): void {
    for (const number of [...this.#outgoing.keys()]) this.#abort(number, reason);
  }

  /** Aborts all bodies and takes no more. */
  close(reason: AppError): void {
    this.#closed ??= reason;
    this.#drop(reason, false);
    this.#lanes.clear();
    clearTimeout(this.#timer);
    this.#options.transport.close?.();
  }

  #drop(reason: AppError, isTold: boolean): void {
    for (const number of [...this.#outgoing.keys()]) this.#abort(number, reason, isTold);
    for (const body of [...this.#incoming.values()]) body.fail(reason);
  }

  #abort(number: number, reason: AppError, isTold = true): void {
    const body = this.#finish(number);
    body?.stop();
    if (body && isTold) this.#say('abort', number, reason.toRecord());
  }

  #finish(number: number): OutgoingBody | undefined {
    const open = this.#outgoing.get(number);
    this.#outgoing.delete(number);
    open?.undo();
    return open?.body;
  }

  #say(...said: readonly unknown[]): void {
    if (!this.#closed) this.#options.transport.transmit('control', [OPCODE_BODY, said]);
  }

  /** The body of a packet. @throws AppError when it is over, there is none, or there should be none. */
  #claim(packet: Packet, kind: BodyKind | undefined, shapes: BodyShapes): IncomingBody {
    const number = packet[4] ?? 0;
    const known = this.#incoming.get(number);
    if (!hasBody(kind) || number === 0 || known?.isClaimed) {
      const fault = new AppError('bad-message', 'a body is missing, or one too many');
      this.refuse(packet, fault);
      throw fault;
    }
    if (!known && !this.#over.has(number) && this.#incoming.size >= MAX_OPEN_BODIES)
      this.#forget(number, new AppError('too-many-bodies', 'too many bodies arrive at a time', { retryable: true }));
    const body = this.#over.has(number) ? undefined : (known ?? this.#begin(number, true));
    body?.claim(boundOf(kind, shapes));
    const over = this.#over.get(number);
    if (!body || over) throw over ?? new AppError('body-over', 'this body is over');
    return body;
  }

  /** @throws AppError `too-many-bodies`. */
  #begin(number: number, isClaimed: boolean): IncomingBody {
    if (!isClaimed && [...this.#incoming.values()].filter((each) => !each.isClaimed).length >= MAX_UNCLAIMED) {
      const fault = new AppError('too-many-bodies', 'too many bodies come without their messages');
      this.#forget(number, fault);
      throw fault;
    }
    const body = new IncomingBody({
      windowBytes: this.#options.windowBytes ?? WINDOW_BYTES,
      budget: this.#budget,
      grant: (bytes) => this.#say('credit', number, bytes),
      onOver: (cancelled) => {
        this.#incoming.delete(number);
        if (cancelled) this.#forget(number, cancelled);
        else this.#remember(number, new AppError('body-over', 'this body is over'));
      },
    });
    this.#incoming.set(number, body);
    this.#watch();
    return body;
  }

  /** Tells the sender that a body is not wanted. */
  #forget(number: number, reason: AppError): void {
    this.#remember(number, reason);
    this.#say('cancel', number, reason.toRecord());
  }

  #remember(number: number, why: AppError): void {
    if (!this.#over.has(number)) this.#over.set(number, why);
    if (this.#over.size > MAX_REMEMBERED) this.#over.delete(this.#over.keys().next().value as number); // not empty
  }

  /** Runs what takes the bytes of a body once all are there; its line waits for that. */
  async #collect(body: IncomingBody, line: string | undefined, run: (bytes: Uint8Array) => unknown): Promise<unknown> {
    this.#waitedFor.add(body);
    const release = line === undefined ? undefined : this.#lanes.hold(line, (fault) => body.cancel(fault));
    const begun = await body
      .bytes()
      .then((bytes) => ({ outcome: run(bytes) })) // begun, and not waited for
      .finally(() => {
        this.#waitedFor.delete(body);
        release?.();
      });
    return begun.outcome;
  }

  #takeText(number: number, text: string, isLast: boolean): void {
    try {
      const bytes = this.#options.fromText?.(text);
      if (!bytes || bytes.length > PIECE_BYTES) throw new AppError('bad-packet', 'not a piece of a body');
      this.take({ id: number, bytes, isLast });
    } catch (thrown) {
      this.#options.onFault(toAppError(thrown, 'bad-packet'));
    }
  }

  /** Gives up what makes no progress. */
  #check(): void {
    this.#timer = undefined;
    const now = Date.now();
    for (const { body } of [...this.#outgoing.values()])
      if (body.isStalledSince(now - STALL_MS))
        this.#abort(body.id, new AppError('body-stalled', 'the receiver does not read the body', { retryable: true }));
    for (const body of [...this.#incoming.values()])
      if ((!body.isClaimed || this.#waitedFor.has(body)) && body.isIdleSince(now - WAIT_MS))
        body.cancel(new AppError('body-stalled', 'no piece of the body has arrived in time', { retryable: true }));
    this.#watch();
  }

  #watch(): void {
    if (this.openBodies > 0 && !this.#closed) this.#timer ??= setTimeout(() => this.#check(), CHECK_MS);
  }
}

function boundOf(
  kind: BodyKind | undefined,
  { maxBytes = kind === 'bytes' ? BYTES_MAX : Infinity }: BodyShapes,
): number {
  return maxBytes;
}

/** Gives a stream to its reader, and cancels it when that fails. */
function running(body: IncomingBody, run: (body: ByteStream) => unknown): unknown {
  const fail = (thrown: unknown): never => {
    body.cancel(toAppError(thrown));
    throw thrown;
  };
  try {
    const outcome = run(body);
    return outcome instanceof Promise ? outcome.catch(fail) : outcome;
  } catch (thrown) {
    return fail(thrown);
  }
}

function aborted(signal: AbortSignal | undefined): AppError {
  const reason: unknown = signal?.reason;
  return reason instanceof AppError ? reason : new AppError('aborted', 'the sender has aborted');
}
