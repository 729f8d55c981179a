import type { CdpBroker } from '../../plugin.ts';
import type { CdpSession } from '../../surrogate/cdp-session.ts';
import type { FrameTree } from '../frames.ts';
import type { PageSessions } from '../page-sessions.ts';
import { AppError } from '../../../core/protocol/errors.ts';

/** The part of a tab's CDP that resources need: any method, and the Network events of every session. */
export interface ResourceCdp extends Pick<CdpBroker, 'send' | 'frameId'> {
  /** Listens on all sessions of documents, now and later; `send` in the listener's origin reaches the same session. */
  on: <E extends NetworkEvent>(event: E, listener: (params: NetworkEvents[E], origin: Origin) => void) => void;
}

/** A session that a request was seen on. */
export interface Origin {
  readonly send: CdpSession['send'];
}

type Events = import('devtools-protocol/types/protocol-mapping.d.ts').ProtocolMapping.Events;
type NetworkEvent =
  'Network.requestWillBeSent' | 'Network.responseReceived' | 'Network.loadingFinished' | 'Network.loadingFailed';
type NetworkEvents = { [E in NetworkEvent]: Events[E][0] };

/** The CDP of a tab for its resources: not bounded by any manifest. */
export function resourceCdp(sessions: PageSessions, frames: Pick<FrameTree, 'sessionOf' | 'frameId'>): ResourceCdp {
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
        const origin: Origin = { send: session.send.bind(session) };
        on(event, (params) => listener(params, origin));
      };
      for (const { session } of sessions.documents()) attach(session);
      sessions.listen({ added: ({ session, kind }) => kind !== 'worker' && attach(session) });
    },
  };
}
