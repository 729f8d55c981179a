/**
 * What joins a gateway (people's connections, routes) to a worker (surrogates, tabs). In one process it is a pair of objects; past
 * it, a message bus: so everything here is asynchronous, named by `cid`, and made of structured-cloneable values and byte chunks.
 */
import type { PairAnswer, PairRequest, RepairRequest, UnpairRequest } from '../core/protocol/pairing.ts';

/** Who asks. Every token is bound to the subject. */
export interface Person {
  /** Opaque and stable: the cookie's subject on the embedded default, later the OIDC one. */
  readonly subject: string;
  readonly tenant: string;
  readonly groups: readonly string[];
  /** Origin by which the person reaches the gateway: `http://localhost:7700`. */
  readonly origin: string;
}

/** One transport (a websocket, a polling client) that carries a logical channel for a while. */
export interface TransportEnd {
  /** One downstream frame (core/protocol/frames.ts). */
  send(frame: Uint8Array): void;
  /** Bytes handed to `send` that have not left yet: what back-pressure goes by. */
  buffered(): number;
  /** How long acknowledgements may wait for something to go with, in ms, where each answer costs a request; else they go soon. */
  readonly ackDelayMs?: number;
  /** Closes the transport; `reason` is told to the client where it has a way. */
  close(reason: string): void;
}

/** The worker's side of an attached transport. */
export interface AttachedChannel {
  /** One upstream message: a parsed JSON value as the client sent it, unchecked. */
  receive(value: unknown): void;
  /** The transport is gone. */
  detach(reason: string): void;
}

/** A body with its type and headers. */
export interface ResourceAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** A shell that a person's browser has asked for, as the request tells of it. */
export interface AskedShell {
  /** Address of the page, without its fragment. */
  readonly url: string;
  readonly userAgent: string;
  /** What the page's document is to be told that its visitor has come from; empty for none. */
  readonly referrer: string;
  /** No tab that is paired already is on its way there, as far as can be known: the page may be asked for at once. */
  readonly isNew: boolean;
}

/** What the gateway asks of a worker. Rejections are AppErrors. */
export interface Link {
  /** A person's browser has asked for the shell of a page: a tab for it will be paired soon, if all goes well. Only what helps is done. */
  expect(person: Person, shell: AskedShell): void;
  pair(person: Person, request: PairRequest): Promise<PairAnswer>;
  repair(person: Person, cid: string, request: RepairRequest): Promise<PairAnswer>;
  unpair(person: Person, request: UnpairRequest): Promise<void>;
  /**
   * Attaches a transport to a tab's logical channel `chid`, taking the place of an earlier one. Undefined: no such session for this
   * person. `received` is the last downstream sequence number that the client has. Rejects with `bad-sequence` when it was never sent.
   */
  attach(
    person: Person,
    names: { readonly cid: string; readonly tabId: string; readonly chid: string; readonly received: number },
    transport: TransportEnd,
  ): Promise<AttachedChannel | undefined>;
  /** A resource by its token (`/c/{kind}/{token}`). */
  resource(person: Person, kind: string, token: string): Promise<ResourceAnswer>;
  /**
   * A PDF of a tab's page. Rejects with `session-not-found`, also for another person's tab, `policy-refused`, or what
   * `PagePrinter.print` throws.
   */
  print(
    person: Person,
    names: { readonly cid: string; readonly rid: string; readonly tabId: string },
    options: Readonly<Record<string, unknown>>,
  ): Promise<Uint8Array>;
  /** Whether the worker can take sessions now. */
  ready(): Promise<boolean>;
  /** Ends all sessions, tells their clients, leaves nothing behind. */
  drain(reason: string): Promise<void>;
}
