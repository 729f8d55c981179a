import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../core/protocol/errors.ts';
import type { Person } from '../base/person.ts';
import { MAX_ROUTE_BODY_BYTES } from '../contracts/routes.ts';
import { HeldBodies } from '../link/held-bodies.ts';
import type { HeldPart } from '../link/held-bodies.ts';
import type { UpstreamMeter } from './upstream-meter.ts';

const KIB = 1024;
const MIB = 1024 * KIB;
/** Bytes of bodies that the gateway keeps at a time: those of all people, of one client address, of one person. */
const MAX_BYTES = 128 * MIB;
const MAX_ADDRESS_BYTES = 32 * MIB;
const MAX_PERSON_BYTES = 16 * MIB;
/** Memory of a request beside its body. */
const REQUEST_BYTES = 16 * KIB;
/** Bodies arrive at least as fast, in bytes a second, after a time in ms that a slow line may take to begin. */
const SLOWEST = 32 * KIB;
const BEGIN_MS = 30_000;

/** Longest time in which a body may arrive, in ms. */
export const arrivalMs = (bytes: number): number => BEGIN_MS + (bytes / SLOWEST) * 1000;

/** Taking in the bodies of a route, where that differs from others. */
interface Intake {
  /** Its largest body, in bytes, where that is not the route's `bodyLimit`. */
  readonly maxBytes?: number;
  /** No messages of a client: they do not count as such. */
  readonly isUnmetered?: true;
  /** Passed on as it comes, to who takes it: nothing of it is kept. */
  readonly isStreamed?: true;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    intake?: Intake;
  }
}

/** Bounds the bodies that are kept: each from its announcement to the end of its answer. */
export class BodyBudget {
  readonly #all = new HeldBodies(MAX_BYTES, tooMuch);
  readonly #shares = new Map<string, HeldBodies>();

  /** Bytes that are kept, with their requests. */
  get bytes(): number {
    return this.#all.bytes;
  }

  /** Takes room for a body. Returns what gives it back. @throws AppError `too-many-requests` */
  hold({ subject, address }: Pick<Person, 'subject' | 'address'>, bytes: number): () => void {
    const shares: [key: string, max: number][] = [[`person ${subject}`, MAX_PERSON_BYTES]];
    if (address !== undefined) shares.push([`address ${address}`, MAX_ADDRESS_BYTES]);
    const size = bytes + REQUEST_BYTES;
    const parts: HeldPart[] = [];
    const release = (): void => {
      for (const part of parts) part.release();
      for (const [key] of shares) if (this.#shares.get(key)?.bytes === 0) this.#shares.delete(key);
    };
    try {
      for (const [key, max] of shares) {
        const share = this.#shares.get(key) ?? new HeldBodies(max, tooMuch);
        this.#shares.set(key, share);
        parts.push(share.hold(size));
      }
      parts.push(this.#all.hold(size));
    } catch (thrown) {
      release();
      throw thrown;
    }
    return release;
  }
}

/**
 * Refuses bodies for which there is no room, before anything of them is read, and messages and websockets of those who have sent too many;
 * ends requests whose bodies do not arrive.
 */
export function takeBodies(app: FastifyInstance, meter: UpstreamMeter, budget: BodyBudget): void {
  app.addHook('onRequest', async ({ person, raw, ws, routeOptions }, reply) => {
    if (ws) meter.admit(person);
    const announced = announcedBytes(raw);
    if (announced === 0 || ws) return;
    const { bodyLimit, config } = routeOptions;
    const { intake = {} } = config;
    const { maxBytes = intake.isStreamed ? MAX_ROUTE_BODY_BYTES : bodyLimit, isUnmetered, isStreamed } = intake;
    endLate(raw, Math.min(announced, maxBytes));
    const isTooLarge = announced > maxBytes && announced !== Infinity; // refused by its length
    if (isStreamed || isTooLarge) return;
    const bytes = Math.min(announced, maxBytes);
    if (!isUnmetered) {
      meter.admit(person);
      meter.spend(person, bytes);
    }
    reply.raw.once('close', budget.hold(person, bytes));
  });
}

/** Length of a request's body as its headers have it: infinite for one that comes in chunks. */
function announcedBytes({ headers }: IncomingMessage): number {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Infinity;
}

function endLate(request: IncomingMessage, bytes: number): void {
  const late = setTimeout(() => {
    if (!request.complete) request.destroy(); // and its connection
  }, arrivalMs(bytes)).unref();
  const arrived = (): void => clearTimeout(late);
  request.once('end', arrived).once('close', arrived);
}

function tooMuch(): AppError {
  return new AppError('too-many-requests', 'Too much is being sent at a time.', { retryable: true });
}
