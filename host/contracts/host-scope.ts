import type { ProtocolMapping } from 'devtools-protocol/types/protocol-mapping.d.ts';
import type { Commands, Scope } from '../../core/contracts/scope.ts';
import type { SettingValues } from '../../core/contracts/setting.ts';
import type { Answer, BodyKind, FrameHandler, SendRest } from '../../core/protocol/body.ts';
import type { CallOptions, SendOptions } from '../../core/protocol/endpoint.ts';
import type { Message } from '../../core/protocol/message.ts';
import type { Frame } from './frame.ts';
import type { OptionValues } from '../../core/contracts/declared.ts';
import type { HostAccess } from './host-access.ts';
import type { HostInput } from './tab-input.ts';
import type { TabHooks } from './tab-hooks.ts';
import type { Settings } from '../policy/settings.ts';

type CdpCommands = ProtocolMapping.Commands;
type CdpEvents = ProtocolMapping.Events;
/** Methods that can answer with the handle of a stream. */
export type StreamingCdpCommand = 'Page.printToPDF' | 'Network.loadNetworkResource';

/** The frames of the tab's page. Callbacks answer with their undo. */
export interface Frames {
  get(id: number): Frame | undefined;
  all(): Frame[];
  /** The element that shows a nested frame: its node id in the parent's kernel and that kernel's epoch; undefined when it has not been sent yet. */
  ownerOf(id: number): Promise<{ readonly epoch: number; readonly node: number } | undefined>;
  /** The node id that the kernel of a frame gave to a CDP backend node; undefined when it has not been sent (yet), or is gone. */
  nodeIdOf(
    frame: number,
    backendNodeId: number,
  ): Promise<{ readonly epoch: number; readonly node: number } | undefined>;
  /**
   * The origin of a frame as the browser's own process knows it; `null` for an opaque one, or one that has gone. Ask before anything that is
   * decided by an origin or shown as one: `Frame.origin` is the word of the page's own process.
   */
  originOf(id: number): Promise<string>;
  /** A page half has started in a frame (first document, or a later one). */
  onReady(listener: (frame: Frame) => void): () => void;
  onNavigated(listener: (frame: Frame) => void): () => void;
  onGone(listener: (id: number) => void): () => void;
}

/**
 * Messages to and from the page halves of the same plugin. What comes from them is untrusted. A call rejects with AppError `document-awaited`,
 * retryable, once the frame's next document has been awaited for half a second: Chromium holds back what is sent to the page until then.
 */
export interface PageBus {
  send<P, B extends BodyKind>(
    frame: number,
    message: Message<P, undefined, B>,
    params: P,
    ...options: SendRest<B, SendOptions>
  ): void;
  call<P, R, B extends BodyKind, A extends BodyKind>(
    frame: number,
    message: Message<P, R, B, A>,
    params: P,
    ...options: SendRest<B, CallOptions>
  ): Promise<Answer<R, A>>;
  /** A body, where the message has one, comes after the frame. */
  handle<P, R, B extends BodyKind, A extends BodyKind>(
    message: Message<P, R, B, A>,
    handler: FrameHandler<P, R, B, A, Frame>,
  ): () => void;
}

/**
 * The surrogate's CDP, limited to the methods and events that the plugin's manifest names. `frame` says whose session; 0 is the
 * page session. Browser and Target domains are never available; methods of Input are, in the order of the person's input, by `scope.input`.
 *
 * @throws AppError `cdp-not-permitted`, `cdp-error`, `cdp-timeout`, `cdp-closed`, `frame-gone`.
 */
export interface CdpBroker {
  send<M extends keyof CdpCommands>(
    frame: number,
    method: M,
    params?: CdpCommands[M]['paramsType'][0],
    options?: CallOptions,
  ): Promise<CdpCommands[M]['returnType']>;
  /**
   * Sends a method that answers with the handle of a stream, as `Page.printToPDF` does on request, and reads that to its end.
   *
   * @throws AppError also `stream-too-large` past `maxBytes`, and `resource-not-found` for a resource that the site does not give.
   */
  stream<M extends StreamingCdpCommand>(
    frame: number,
    method: M,
    params: CdpCommands[M]['paramsType'][0],
    options: CallOptions & { readonly maxBytes: number },
  ): Promise<Uint8Array>;
  /**
   * Listens on every session of the tab, now and later. Any part of an event may be made up by the process that sends it, but for the frame:
   * the event of a frame comes from the session of that frame, or is not delivered. (Of requests and dialogs, the frame's id is left out.)
   */
  on<E extends keyof CdpEvents>(
    event: E,
    listener: (params: CdpEvents[E][0], session: SessionOrigin) => void,
  ): () => void;
  /** Enables a domain on every session of the tab, now and later, until disposed; counted across plugins. */
  enable(domain: 'Page' | 'DOM' | 'CSS' | 'Network' | 'Overlay' | 'Accessibility' | 'Animation'): () => void;
  /** The CDP frame id of one of our frames, for methods that take one. */
  frameId(frame: number): string | undefined;
  /** Our frame of a CDP frame id. */
  frameOf(frameId: string): number | undefined;
  /** The frames that a session speaks for: an event that names no frame may be about these, and no others. */
  framesOf(session: SessionOrigin): readonly number[];
}

/** Which session an event came from: 0 is the page session; otherwise the frame whose target it is. */
export interface SessionOrigin {
  readonly frame: number;
}

/** The tab that a scope belongs to. `M`: the manifest of the plugin. */
export interface Tab<M = object> {
  readonly id: string;
  readonly cid: string;
  /** Opaque subject of the person; stable across sessions. */
  readonly person: string;
  readonly capabilities: Readonly<Record<string, unknown>>;
  /**
   * Returns the current policy for the person on the page shown, or at another address, with the settings that the manifest declares. Call it
   * each time: the policy changes with the page, and when the policy itself does, which `hooks.policyChanged` reports. At several addresses the
   * settings of all of them hold, those that protect with their strictest value: a file that goes from one site to another.
   */
  policy(address?: string | readonly string[]): Settings & SettingValues<M>;
  /** Moments of this tab, to be tapped through `scope.hooks`. */
  readonly hooks: TabHooks;
  /** Address of the main frame now. */
  url(): string;
  /** Where the main frame is going, until it is there. */
  destination(): string | undefined;
  /**
   * Makes sure that the page can be left: resolves with true once it answers; scripts that keep it from that are stopped after a while.
   * Where that does not help its process is ended: false then, and `to`, or the same address, is opened in its place. False, too, where the
   * person has gone to another address meanwhile. Call it before a navigation that the person asks for. Never rejects.
   */
  release(to?: string): Promise<boolean>;
  /**
   * Registers an address under an opaque token that only this person can fetch at `/c/{kind}/{token}`, as what the frame's document is
   * given for it. Same input, same token, while frame and page are of the same origins and the policy says the same of pictures.
   */
  resource(kind: 'i' | 'f' | 'm' | 's', address: string, frame: number): string;
  /**
   * Whether there is anything to show behind a path of `resource`: the site is asked for it where the surrogate has not got it yet.
   *
   * @throws AppError, retryable, when that is not known now: the page is slow, or navigating.
   */
  shows(path: string): Promise<boolean>;
}

/** Scope of a host half, created once per tab. */
export interface HostScope<M = object> extends Scope, HostAccess<OptionValues<M>> {
  /** Messages to and from the client half. */
  readonly commands: Commands;
  readonly tab: Tab<M>;
  readonly page: PageBus;
  readonly frames: Frames;
  readonly cdp: CdpBroker;
  readonly input: HostInput;
}

/** A host half exports `activate`. */
export type ActivateHost<M = object> = (scope: HostScope<M>) => void | Promise<void>;
