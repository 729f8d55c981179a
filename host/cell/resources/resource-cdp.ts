import type { CdpBroker } from '../../plugin.ts';
import type { CdpSession } from '../../surrogate/cdp-session.ts';
import { MAIN_FRAME } from '../page/frames.ts';
import type { FrameTree } from '../page/frames.ts';
import type { PageSessions } from '../page/page-sessions.ts';
import { AppError } from '../../../core/protocol/errors.ts';

/** The part of a tab's CDP that resources need: any method, and the Network events of every session. */
export interface ResourceCdp extends Pick<CdpBroker, 'send' | 'frameId'> {
  /** Listens on all sessions of documents, now and later; `send` in the listener's origin reaches the same session. */
  on: <E extends NetworkEvent>(event: E, listener: (params: NetworkEvents[E], origin: Origin) => void) => void;
  /** The frames that there are now. */
  frames: () => number[];
  /** Names the document that a frame shows now; undefined when the frame is gone. */
  documentOf: (frame: number) => string | undefined;
  /**
   * Names those whose documents have the same bytes for an address as the frame's now: of its origin, below the same origin at the top,
   * as browsers divide their caches and service workers. One without an origin that it could share is alone.
   */
  partitionOf: (frame: number) => string;
}

/** A session that a request was seen on. */
export interface Origin {
  readonly send: CdpSession['send'];
  /** Differs from that of all other sessions. */
  readonly session: number;
  /** Names the document that a request is made for, like {@link ResourceCdp.documentOf}, by what a session says of the request. */
  documentOf(request: RequestOf): string;
}

/** Whom a request is made for. */
type RequestOf = Pick<NetworkEvents['Network.requestWillBeSent'], 'loaderId' | 'frameId' | 'type'>;

type Events = import('devtools-protocol/types/protocol-mapping.d.ts').ProtocolMapping.Events;
type NetworkEvent =
  'Network.requestWillBeSent' | 'Network.responseReceived' | 'Network.loadingFinished' | 'Network.loadingFailed';
type NetworkEvents = { [E in NetworkEvent]: Events[E][0] };
type ResourceFrames = Pick<FrameTree, 'sessionOf' | 'frameId' | 'frameOf' | 'loaderOf' | 'get' | 'all'>;

/** The CDP of a tab for its resources: not bounded by any manifest. */
export function resourceCdp(sessions: PageSessions, frames: ResourceFrames): ResourceCdp {
  const numbers = new WeakMap<CdpSession, number>();
  let last = 0;
  const numberOf = (session: CdpSession): number => {
    const number = numbers.get(session) ?? ++last;
    numbers.set(session, number);
    return number;
  };
  /** A session can tell of documents of its own alone; the blank one that a frame begins with goes by the frame. */
  const documentOf = (session: CdpSession, loader: string): string => `${numberOf(session)} ${loader}`;
  const originOf = (frame: number): string => {
    const { origin } = frames.get(frame) ?? { origin: 'null' };
    return origin === 'null' ? `null ${frame} ${frames.loaderOf(frame) ?? ''}` : origin;
  };
  return {
    send: async (frame, method, params, options) => {
      const session = frames.sessionOf(frame);
      if (!session) throw new AppError('frame-gone', `frame ${frame} is gone`, { retryable: true });
      const send = session.send.bind(session) as (method: string, params?: object, options?: object) => Promise<never>; // checked by the signature
      return send(method, params, options);
    },
    frameId: (frame) => frames.frameId(frame),
    on: (event, listener) => {
      const attach = (session: CdpSession): void => {
        const on = session.on.bind(session) as unknown as (event: string, listener: (params: never) => void) => void; // one event's own
        const origin: Origin = {
          send: session.send.bind(session),
          session: numberOf(session),
          documentOf({ loaderId, frameId = '', type }) {
            const frame = frames.frameOf(frameId);
            const isBlank = type !== 'Document' && frame !== undefined && frames.loaderOf(frame) === undefined;
            return documentOf(session, isBlank ? frameId : loaderId);
          },
        };
        on(event, (params) => listener(params, origin));
      };
      for (const { session } of sessions.documents()) attach(session);
      sessions.listen({ added: ({ session, kind }) => kind !== 'worker' && attach(session) });
    },
    frames: () => frames.all().map(({ id }) => id),
    documentOf(frame) {
      const session = frames.sessionOf(frame);
      const loader = frames.loaderOf(frame) ?? frames.frameId(frame);
      return session && loader !== undefined ? documentOf(session, loader) : undefined;
    },
    partitionOf: (frame) => `${originOf(MAIN_FRAME)} ${originOf(frame)}`,
  };
}
