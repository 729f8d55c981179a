import { setTimeout as delay } from 'node:timers/promises';
import type { CdpBroker } from '../../contracts/host-scope.ts';
import type { CdpSession } from '../../surrogate/cdp-session.ts';
import { MAIN_FRAME } from '../page/frames.ts';
import type { FrameTree } from '../page/frames.ts';
import type { PageSessions } from '../page/page-sessions.ts';
import { AppError } from '../../../core/protocol/errors.ts';

/** The part of a tab's CDP that resources need: any method, and the Network events of every session. */
export interface ResourceCdp extends Pick<CdpBroker, 'send' | 'frameId'> {
  /**
   * Listens on all sessions of documents, present and future; `send` in the listener's origin reaches the same session.
   */
  on: <E extends NetworkEvent>(event: E, listener: (params: NetworkEvents[E], origin: Origin) => void) => void;
  /** Calls `listener` whenever a frame shows another document, or is gone. */
  onChange: (listener: () => void) => void;
  /** The frames that there are now. */
  frames: () => number[];
  /** Id of the document that a frame shows now; undefined when the frame was removed. */
  documentOf: (frame: number) => string | undefined;
  /**
   * Key of all frames whose documents get the same bytes for an address as this frame's now: same origin and same top
   * origin, as browsers partition their caches and service workers. A document with an opaque origin has a partition of
   * its own. Origins are the word of the documents' own processes, so sessions do not share either.
   */
  partitionOf: (frame: number) => string;
  /** Whether the browser's process confirms the origins in the partition of a frame: see {@link partitionOf}. */
  isConfirmed: (frame: number) => Promise<boolean>;
}

/** The page's process reports a document before the browser's does: time between two questions in ms, and their number. */
const AGAIN_MS = 50;
const MAX_TIMES = 20;

/** Origin of an event: the session that a request was seen on. */
export interface Origin {
  readonly send: CdpSession['send'];
  /** Unique id of the session. */
  readonly session: number;
  /** Id of the document of a request, like {@link ResourceCdp.documentOf}, from the session's event. */
  documentOf(request: RequestOf): string;
}

/** The fields that identify a request's document. */
type RequestOf = Pick<NetworkEvents['Network.requestWillBeSent'], 'loaderId' | 'frameId' | 'type'>;

type Events = import('devtools-protocol/types/protocol-mapping.d.ts').ProtocolMapping.Events;
type NetworkEvent =
  | 'Network.requestWillBeSent'
  | 'Network.responseReceived'
  | 'Network.dataReceived'
  | 'Network.loadingFinished'
  | 'Network.loadingFailed';
type NetworkEvents = { [E in NetworkEvent]: Events[E][0] };
type ResourceFrames = Pick<
  FrameTree,
  'sessionOf' | 'frameId' | 'frameOf' | 'loaderOf' | 'get' | 'all' | 'originOf' | 'onNavigation' | 'onGone'
>;

/** The CDP of a tab for its resources: not restricted by any manifest. */
export function resourceCdp(sessions: PageSessions, frames: ResourceFrames): ResourceCdp {
  const numbers = new WeakMap<CdpSession, number>();
  let last = 0;
  const numberOf = (session: CdpSession): number => {
    const number = numbers.get(session) ?? ++last;
    numbers.set(session, number);
    return number;
  };
  /** A session only reports documents of its own; the initial blank one of a frame is identified by the frame. */
  const documentOf = (session: CdpSession, loader: string): string => `${numberOf(session)} ${loader}`;
  const claimedBy = (frame: number): string => frames.get(frame)?.origin ?? 'null';
  const originOf = (frame: number): string => {
    const origin = claimedBy(frame);
    return origin === 'null' ? `null ${frame} ${frames.loaderOf(frame) ?? ''}` : origin;
  };
  const partitionOf = (frame: number): string => {
    const session = frames.sessionOf(frame);
    const speaker = session === undefined || session === sessions.page ? 'page' : numberOf(session);
    return `${speaker} ${originOf(MAIN_FRAME)} ${originOf(frame)}`;
  };
  const shownBy = (frame: number): string | undefined => {
    const session = frames.sessionOf(frame);
    const loader = frames.loaderOf(frame) ?? frames.frameId(frame);
    return session && loader !== undefined ? documentOf(session, loader) : undefined;
  };
  /** By frame: its document and partition that the browser's process has confirmed last. */
  const confirmed = new Map<number, string>();
  const isTrue = async (frame: number): Promise<boolean> => {
    const asked = `${shownBy(frame)} ${partitionOf(frame)}`;
    if (confirmed.get(frame) === asked) return true;
    const [main, own] = await Promise.all([frames.originOf(MAIN_FRAME), frames.originOf(frame)]);
    if (main !== claimedBy(MAIN_FRAME) || own !== claimedBy(frame)) return false;
    if (`${shownBy(frame)} ${partitionOf(frame)}` !== asked) return false; // another document meanwhile
    for (const known of confirmed.keys()) if (!frames.get(known)) confirmed.delete(known);
    confirmed.set(frame, asked);
    return true;
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
    onChange: (listener) => {
      frames.onNavigation(() => listener());
      frames.onGone(() => listener());
    },
    frames: () => frames.all().map(({ id }) => id),
    documentOf: shownBy,
    partitionOf,
    async isConfirmed(frame) {
      for (let times = 1; !(await isTrue(frame)); times += 1) {
        if (times === MAX_TIMES) return false;
        await delay(AGAIN_MS, undefined, { ref: false });
      }
      return true;
    },
  };
}
