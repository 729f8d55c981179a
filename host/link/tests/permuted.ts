import type { Duplex } from 'node:stream';
import { LINK_LIMITS } from '../limits.ts';
import type { WireLimits } from '../limits.ts';
import { linkPeer } from '../peer.ts';
import type { LinkPeer } from '../api.ts';
import type { LinkOptions } from '../peer.ts';
import { ANSWERING, FrameParser, headerFrame, KIND } from '../wire.ts';
import { randomNumbers } from '../../../core/testing/random.ts';
import { memorySocketPair } from './memory.ts';

/** Frames of bodies and streams: those of one id are in order, and in none with those of other ids and with control frames that follow. */
const IN_TURN: readonly number[] = [KIND.close, KIND.piece, KIND.chunk, KIND.end];
/** Share of frames that go on at once. */
const PROMPT = 0.4;

interface Timing {
  readonly seed: number;
  /** Longest delay of a frame, in ms. */
  readonly delayMs: number;
}

/** Frames that have come later than one of another id, and are sent before it. */
interface Permutations {
  count: number;
}

interface Waiting {
  readonly bytes: Buffer;
  /** Its number among all frames. */
  readonly number: number;
  readonly readyAt: number;
  /** Number of the control frame that has to be sent before: of the same id, or the greeting. */
  readonly after: number;
}

/** One direction: frames leave late, and in every order that README.md, "Order", allows. */
class Relay {
  readonly #to: Duplex;
  readonly #timing: Timing;
  readonly #random: () => number;
  readonly #permutations: Permutations;
  /** Waiting frames in their orders: control frames under 0, the others by id and side. */
  readonly #lines = new Map<number, Waiting[]>();
  /** Number of the last control frame of an id. */
  readonly #begun = new Map<number, number>();
  #taken = 0;
  #controlled = 0;
  #timer: NodeJS.Timeout | undefined;
  #isScheduled = false;
  #isOver = false;

  constructor(from: Duplex, to: Duplex, limits: WireLimits, timing: Timing, permutations: Permutations) {
    this.#to = to;
    this.#timing = timing;
    this.#random = randomNumbers(timing.seed);
    this.#permutations = permutations;
    const parser = new FrameParser(limits, (kind, answering, id, payload) => {
      const side = answering ? ANSWERING : 0;
      this.#take(
        kind,
        id * 2 + (answering ? 1 : 0),
        Buffer.concat([headerFrame(kind | side, id, payload.length), payload]),
      );
    });
    from.on('data', (bytes: Buffer) => void parser.push(bytes));
    for (const event of ['end', 'close']) from.on(event, () => this.#finish());
    from.on('error', () => undefined); // a close follows
  }

  #take(kind: number, id: number, bytes: Buffer): void {
    const number = ++this.#taken;
    const isInTurn = IN_TURN.includes(kind);
    const line = this.#lines.get(isInTurn ? id : 0) ?? [];
    this.#lines.set(isInTurn ? id : 0, line);
    const delay = this.#random() < PROMPT ? 0 : this.#random() * this.#timing.delayMs;
    const readyAt = Math.max(line.at(-1)?.readyAt ?? 0, performance.now() + delay);
    line.push({ bytes, number, readyAt, after: isInTurn ? (this.#begun.get(id) ?? 1) : 0 });
    if (!isInTurn) this.#begun.set(id, number);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled || this.#isOver) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#send(performance.now());
      const next = Math.min(...[...this.#lines.values()].map(([head]) => head?.readyAt ?? Infinity));
      clearTimeout(this.#timer);
      if (next < Infinity && !this.#isOver)
        this.#timer = setTimeout(() => this.#schedule(), Math.max(0, next - performance.now()));
    });
  }

  /** Sends what is ready, in a random order of the lines. */
  #send(now: number): void {
    for (;;) {
      const ready = [...this.#lines].filter(
        ([, [head]]) => head && head.readyAt <= now && head.after <= this.#controlled,
      );
      const [id = 0, line] = ready[Math.floor(this.#random() * ready.length)] ?? [];
      const frame = line?.shift();
      if (!line || !frame) return;
      if (line.length === 0) this.#lines.delete(id);
      if (id === 0) this.#controlled = frame.number;
      if ([...this.#lines.values()].some(([head]) => head && head.number < frame.number)) this.#permutations.count += 1;
      if (this.#to.writable) this.#to.write(frame.bytes);
    }
  }

  #finish(): void {
    if (this.#isOver) return;
    this.#send(Infinity);
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#to.end();
  }
}

/** Two peers between which frames of different ids are permuted and delayed, the same way for the same seed and the same traffic. */
export function permutedPair(timing: Timing, options: LinkOptions = {}): readonly [LinkPeer, LinkPeer, Permutations] {
  const { near, far, permutations } = permutedSockets(timing, { ...LINK_LIMITS, ...options.limits });
  return [linkPeer(near, options), linkPeer(far, options), permutations];
}

/** The two ends of a connection as {@link permutedPair} has it. */
export function permutedSockets(
  { seed, delayMs }: Timing,
  limits: WireLimits,
): { readonly near: Duplex; readonly far: Duplex; readonly permutations: Permutations } {
  const [near, left] = memorySocketPair();
  const [right, far] = memorySocketPair();
  const permutations = { count: 0 };
  new Relay(left, right, limits, { seed, delayMs }, permutations);
  new Relay(right, left, limits, { seed: seed + 1, delayMs }, permutations);
  return { near, far, permutations };
}
