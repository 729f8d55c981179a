/**
 * Interface of the cells for the gateway: people's sessions, wherever they run. Everything here is asynchronous, named by ids, and made
 * of values that JSON carries and of bytes; nothing is shared by identity.
 */
import type { RouteAnswer, RouteRequest } from './routes.ts';
import type { LinkBody } from '../link/api.ts';
import type { Person } from '../base/person.ts';
import type { Resource } from '../resources/resource.ts';
import type { PairAnswer, PairRequest, RepairRequest, UnpairRequest } from '../../core/protocol/pairing.ts';

/** One transport (a websocket, a polling client) that carries a logical channel for a while. */
export interface TransportEnd {
  /**
   * Sends one downstream frame (core/protocol/frames.ts). Resolves once its bytes have left, which is the credit for more; never rejects.
   */
  send(frame: Uint8Array): Promise<void>;
  /** Longest time that an acknowledgement may wait for other messages, in ms, where each answer costs a request. */
  readonly ackDelayMs?: number;
  /** Closes the transport; `reason` reaches the client where the transport can carry it. */
  close(reason: string): void;
}

/** Reason of a detachment: the client's document has been unloaded, and its browser says so. */
export const CLIENT_LEFT = 'client left';

/** The cell's side of an attached transport. */
export interface AttachedChannel {
  /** One upstream message, or a `list` of them, as JSON in UTF-8: as the client sent it, unread. */
  receive(json: Uint8Array, list?: 'list'): void;
  /** The transport is gone. */
  detach(reason: string): void;
}

/** A shell that a person's browser has asked for, as the request tells of it. */
export interface AskedShell {
  /** Address of the page, without its fragment. */
  readonly url: string;
  readonly userAgent: string;
  /** Its referrer, which may be the service's own; empty for none. */
  readonly referrer: string;
  /** As `doc_headers` of a pair request. */
  readonly docHeaders: Readonly<Record<string, string>>;
  /** No tab that is paired already is on its way there, as far as can be known: the page may be asked for at once. */
  readonly isNew: boolean;
}

/** A tab's channel as its client names it; `received` is the last downstream sequence number that the client has. */
export interface ChannelNames {
  readonly cid: string;
  readonly tabId: string;
  readonly chid: string;
  readonly received: number;
}

/** A frame of pieces that a client has posted: the channel that it belongs to, and its number, which counts from 1. */
export interface PostedNames extends Omit<ChannelNames, 'received'> {
  readonly number: number;
}

/** A request to a route of a plugin. */
export interface RoutedRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly rest?: string;
  readonly query: RouteRequest['query'];
  readonly contentType?: string;
  readonly range?: string;
  readonly ifRange?: string;
}

/** The answer of a route: a body with what its headers are made of, or an error with the HTTP status that the plugin has declared for it. */
export type RoutedAnswer =
  | (Omit<RouteAnswer, 'body' | 'status'> & { readonly status: number; readonly body?: LinkBody })
  | { readonly code: string; readonly message: string; readonly retryable: boolean; readonly status?: number };

/** Why a person has to wait for a session, and the place among those who do, from 1. */
export interface WaitingPerson {
  /** All cells are taken, or all that people of their network address may have. */
  readonly reason: 'full' | 'address';
  readonly place: number;
}

/** The gateway's way to people's sessions. Rejections are AppErrors. */
export interface Link {
  /** A person's browser has asked for the shell of a page: a tab for it will probably be paired soon. Best effort. */
  expect(person: Person, shell: AskedShell): void;
  /** Whether a person would have to wait for a session now; they keep their place for as long as they ask every few seconds. */
  waiting(person: Person): Promise<WaitingPerson | undefined>;
  pair(person: Person, request: PairRequest): Promise<PairAnswer>;
  repair(person: Person, cid: string, request: RepairRequest): Promise<PairAnswer>;
  unpair(person: Person, request: UnpairRequest): Promise<void>;
  /**
   * Attaches a transport to a tab's logical channel `chid`, in place of an earlier one. Undefined: no such session for this person.
   * Rejects with `bad-sequence` when `received` was never sent.
   */
  attach(person: Person, names: ChannelNames, transport: TransportEnd): Promise<AttachedChannel | undefined>;
  /**
   * Passes pieces of bodies that a client has posted beside its channel, in a frame. Resolves once they are taken in, so that the next may
   * come; the same number again is taken once. Rejects with `session-not-found`, also for another channel than the tab's, `bad-sequence`
   * for a number that is not the next, `bad-frame`.
   */
  receiveBodies(person: Person, names: PostedNames, frame: Uint8Array): Promise<void>;
  /** A resource by its token (`/c/{kind}/{token}`). */
  resource(person: Person, kind: string, token: string): Promise<Resource>;
  /** Passes a request to the plugin that has its route. Rejects with `session-not-found`, or the error of the link or of the body. */
  request(
    person: Person,
    request: RoutedRequest,
    options: { readonly signal: AbortSignal; readonly body?: AsyncIterable<Uint8Array> },
  ): Promise<RoutedAnswer>;
  /** Whether a new session can begin now. */
  ready(): Promise<boolean>;
  /** Ends all sessions, tells their clients, leaves nothing behind. */
  drain(reason: string): Promise<void>;
}
