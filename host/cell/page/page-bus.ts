import type { ByteBudget } from '../../../core/protocol/bodies/incoming.ts';
import type { BodyLayer } from '../../../core/protocol/bodies/layer.ts';
import { textBodies } from '../../../core/protocol/bodies/text-bodies.ts';
import { Endpoint, parsePacket } from '../../../core/protocol/endpoint.ts';
import type { OpTable, Packet } from '../../../core/protocol/endpoint.ts';
import { AppError, toAppError } from '../../../core/protocol/errors.ts';
import type { AnyMessage } from '../../../core/protocol/message.ts';
import { PAGE_BINDING, PAGE_GLOBAL } from '../../../core/protocol/page-messages.ts';
import type { Frame } from '../../contracts/frame.ts';
import type { PageBus } from '../../contracts/host-scope.ts';
import { FlowMeter } from '../../base/flow-meter.ts';
import type { FrameTree, World } from './frames.ts';
import type { HeldCalls } from './held-calls.ts';
import type { PageSessions } from './page-sessions.ts';
import { quietly } from './target-defaults.ts';

/** Largest packet of a page half, in UTF-16 units. */
const MAX_PAYLOAD_UNITS = 8 * 1024 * 1024;
/** Maximum size of all that the page halves of one tab send in a second, in UTF-16 units. */
const MAX_UNITS_PER_SECOND = 64 * 1024 * 1024;
/** Pieces of bodies on their way to one document, in UTF-16 units: more wait until it has taken some. */
const MAX_PIECE_UNITS = 1024 * 1024;
/** A page that shows a dialog does not answer before it is closed. */
const DELIVERY_DEADLINE_MS = 60_000;

const RECEIVE = `function (json) { globalThis.${PAGE_GLOBAL}?.receive(json); }`;

/** Who owns a message between host and page halves. */
type OwnerOf = (name: string) => string | undefined;

/** Options of a page bus, supplied by its tab. */
interface PageBusOptions {
  readonly sessions: PageSessions;
  readonly frames: FrameTree;
  readonly heldCalls: HeldCalls;
  /** All messages of the tab, by name. */
  readonly table: OpTable;
  readonly ownerOf: OwnerOf;
  /** Maximum number of messages that all page halves together send in a second. */
  readonly messagesPerSecond: number;
  /** Byte budget for bodies from the page halves while they wait. */
  readonly bodyBudget: ByteBudget;
  /** Asked of a message that nobody handles: true when it is kept, to be received `again`, or nothing is to be said of it. */
  readonly onUnhandled: (packet: Packet, again: () => void) => boolean;
  /** Called with errors that reach no caller: hostile or broken packets, handlers that threw. `owner` is the plugin, where known. */
  readonly onFault: (fault: AppError, owner: string | undefined, frame: number | undefined) => void;
}

/** The host's end of the conversation with one document. */
interface DocumentEnd {
  readonly world: World;
  readonly endpoint: Endpoint;
  readonly bodies: BodyLayer;
  readonly frame: number;
}

type PageHandler = (params: unknown, frame: Frame, ...body: unknown[]) => never; // answers as its message says: the endpoint looks at it

/**
 * Carries messages between host halves and the page halves of one tab. Every document has an endpoint of its own, so that the answer
 * of one can never settle the call of another. Packets are bounded in size and number, and validated, before anyone sees them.
 */
export class PageMessages {
  readonly #options: PageBusOptions;
  readonly #handlers = new Map<string, { readonly message: AnyMessage; readonly handler: PageHandler }>();
  readonly #documents = new WeakMap<World, DocumentEnd>();
  readonly #open = new Set<DocumentEnd>();
  readonly #meter: FlowMeter;

  constructor(options: PageBusOptions) {
    this.#options = options;
    this.#meter = new FlowMeter(options.messagesPerSecond, MAX_UNITS_PER_SECOND);
    options.sessions.listen({
      added: ({ session, kind }) => {
        if (kind === 'worker') return;
        session.on('Runtime.bindingCalled', ({ name, payload, executionContextId }) => {
          if (name !== PAGE_BINDING) return;
          const frame = options.frames.frameOfContext(session, executionContextId);
          if (frame) this.#receive(frame, payload);
          else options.onFault(new AppError('no-page-half', 'a message from an unknown world'), undefined, undefined);
        });
      },
    });
  }

  /**
   * The bus as one owner sees it: it may handle and send its own messages only. `isPatient`: its calls wait for as long as Chromium holds them
   * back, which those of others do not: see {@link HeldCalls}.
   */
  of(owner: string, isPatient = false): PageBus {
    const check = (name: string): void => {
      if (this.#options.ownerOf(name) !== owner) throw new AppError('not-yours', `${name} is no message of ${owner}`);
    };
    return {
      send: (frame, message, params, ...options) => {
        check(message.name);
        this.#documentOf(frame)?.endpoint.send(message, params, ...options);
      },
      call: async (frame, message, params, ...options) => {
        check(message.name);
        const end = this.#documentOf(frame);
        if (!end) throw new AppError('frame-gone', `frame ${frame} has no page half now`, { retryable: true });
        const call = () => end.endpoint.call(message, params, ...options);
        return isPatient ? call() : this.#options.heldCalls.run(end.world.session, call);
      },
      handle: (message, handler) => {
        check(message.name);
        return this.#handle(message, handler as PageHandler); // called with validated parameters and a body of its kind only
      },
    };
  }

  /** Closes the endpoints of documents that are gone. */
  sweep(): void {
    for (const open of this.#open) {
      if (this.#options.frames.worldOf(open.frame) === open.world) continue;
      this.#open.delete(open);
      open.endpoint.close(
        new AppError('frame-gone', `the document of frame ${open.frame} is gone`, { retryable: true }),
      );
    }
  }

  close(reason: AppError): void {
    for (const { endpoint } of this.#open) endpoint.close(reason);
    this.#open.clear();
    this.#handlers.clear();
  }

  #handle(message: AnyMessage, handler: PageHandler): () => void {
    const { name } = message;
    if (this.#handlers.has(name)) throw new AppError('already-handled', `${name} has an owner already`);
    const entry = { message, handler };
    this.#handlers.set(name, entry);
    const undo = [...this.#open].map(({ endpoint, frame }) => this.#install(endpoint, frame, entry));
    return () => {
      if (this.#handlers.get(name) !== entry) return;
      this.#handlers.delete(name);
      for (const each of undo) each();
    };
  }

  #install(
    endpoint: Endpoint,
    frameId: number,
    entry: { readonly message: AnyMessage; readonly handler: PageHandler },
  ): () => void {
    return endpoint.handle(entry.message, (params, ...body) => {
      const frame = this.#options.frames.get(frameId);
      // The undo of a handler does not reach documents that came after it: this does.
      if (!frame || this.#handlers.get(entry.message.name) !== entry)
        throw new AppError('unknown-message', `nobody handles ${entry.message.name} any more`);
      return entry.handler(params, frame, ...body);
    });
  }

  #documentOf(frame: number): DocumentEnd | undefined {
    const world = this.#options.frames.worldOf(frame);
    if (!world) return undefined;
    const known = this.#documents.get(world);
    if (known) return known;
    this.sweep();
    const bodies = documentBodies(world, this.#options.bodyBudget, (fault) =>
      this.#options.onFault(fault, undefined, frame),
    );
    const endpoint: Endpoint = new Endpoint({
      table: this.#options.table,
      bodies,
      onUnhandled: (packet) =>
        this.#options.onUnhandled(packet, () => {
          if (this.#options.frames.worldOf(frame) === world) endpoint.receive(packet);
        }),
      transmit: (...sent) => bodies.send(...sent),
      onFault: (fault, op) => this.#options.onFault(fault, this.#options.ownerOf(String(op)), frame),
    });
    const end = { world, endpoint, bodies, frame };
    this.#documents.set(world, end);
    this.#open.add(end);
    for (const entry of this.#handlers.values()) this.#install(endpoint, frame, entry);
    return end;
  }

  #receive(frame: Frame, payload: string): void {
    try {
      if (payload.length > MAX_PAYLOAD_UNITS)
        throw new AppError('message-too-large', `a packet of ${payload.length} units`);
      if (!this.#meter.take(payload.length)) {
        // It may have been a piece: what is put together without it would be wrong.
        const carrier = this.#documentOf(frame.id)?.bodies.carrier;
        if (carrier && carrier.openBodies > 0)
          carrier.restart(new AppError('flood', 'the page half sends more than a tab may'), false);
        if (this.#meter.isFirstRefusal) throw new AppError('flood', `frame ${frame.id} sends more than a tab may`);
        return;
      }
      this.#documentOf(frame.id)?.endpoint.receive(packetFrom(payload));
    } catch (thrown) {
      this.#options.onFault(toAppError(thrown), undefined, frame.id);
    }
  }
}

function packetFrom(payload: string): Packet {
  let value: unknown;
  try {
    value = JSON.parse(payload);
  } catch (cause) {
    throw new AppError('bad-packet', 'not JSON', { cause });
  }
  return parsePacket(value);
}

/** Carries bodies to the page halves of a document and from them: as text, since a binding and a call of the page carry nothing else. */
function documentBodies(world: World, budget: ByteBudget, onFault: (fault: AppError) => void): BodyLayer {
  let units = 0;
  const bodies = textBodies({
    transmit: (_lane, packet) => quietly(deliver(world, packet)),
    transmitPiece: (packet) => {
      const size = JSON.stringify(packet).length;
      units += size;
      const arrived = (): void => {
        units -= size;
        bodies.carrier.resume();
      };
      deliver(world, packet).then(arrived, arrived); // a document that is gone is swept
    },
    isReady: () => units < MAX_PIECE_UNITS,
    budget,
    onFault,
  });
  return bodies;
}

function deliver({ session, uniqueId }: World, packet: Packet): Promise<unknown> {
  return session.send(
    'Runtime.callFunctionOn',
    { functionDeclaration: RECEIVE, uniqueContextId: uniqueId, arguments: [{ value: JSON.stringify(packet) }] },
    { deadlineMs: DELIVERY_DEADLINE_MS },
  );
}
