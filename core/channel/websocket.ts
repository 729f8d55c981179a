import { SESSION_FOUND, SESSION_NOT_FOUND } from '../protocol/wire.ts';
import { queryOf } from './transport.ts';
import type { Transport } from './transport.ts';

/** Close codes of ours (RFC 6455 leaves 4000-4999 to applications): the session is not known; the request was wrong. */
const CLOSE_REFUSED = [4400, 4404];
const CLOSE_NORMAL = 1000;
/** Ready states of a websocket, from HTML. */
const OPEN = 1;
const CLOSED = 3;
/** Why the host closes the websocket of a channel that another client has taken over: to come again would take it back. */
const REPLACED = 'replaced';

type Message = MessageEvent<ArrayBuffer | string>;

/** A websocket, with what has come before somebody listens. */
export interface Begun {
  readonly socket: WebSocket;
  readonly early: Message[];
}

/** Opens the websocket of a channel (M-073). @throws when the browser refuses to create one. */
export function beginWebSocket(origin: string, query: string): Begun {
  const socket = new WebSocket(`${origin.replace(/^http/, 'ws')}/r/websocket?${query}`);
  socket.binaryType = 'arraybuffer';
  const early: Message[] = [];
  socket.onmessage = (message: Message) => early.push(message);
  return { socket, early };
}

/**
 * The websocket of the surrogate channel at `{origin}/r/websocket` (M-073, M-075): binary frames down, JSON text up. `begun` is used for the
 * first connection, if it is still open, or has brought something: a host that ends a tab at once says so, and closes it.
 */
export function webSocketTransport(origin: string, begun?: Begun): Transport {
  return {
    mode: 'websocket',
    open(names, events) {
      const first = begun;
      begun = undefined;
      const { socket, early } =
        first && (first.early[0] || first.socket.readyState <= OPEN) ? first : beginWebSocket(origin, queryOf(names));
      let isOpen = true;
      const end = (tell: () => void): void => {
        if (!isOpen) return;
        isOpen = false;
        tell();
      };
      const take = ({ data }: Message): void => {
        if (!isOpen) return;
        if (typeof data !== 'string') events.frame(new Uint8Array(data));
        else if (data === SESSION_FOUND) events.found();
        else if (data === SESSION_NOT_FOUND)
          end(() => {
            events.notFound();
          });
      };
      socket.onmessage = take;
      // No event before this function has returned.
      queueMicrotask(() => {
        early.splice(0).forEach(take);
        if (socket.readyState === CLOSED) end(() => events.closed('network')); // before anybody listened
      });
      socket.onclose = ({ code, reason }) => {
        end(() => {
          if (CLOSE_REFUSED.includes(code)) events.notFound();
          else events.closed(code === CLOSE_NORMAL && reason === REPLACED ? 'final' : 'network');
        });
      };
      return {
        send: (text) => {
          if (socket.readyState === OPEN) socket.send(text); // the channel keeps what a closing socket drops
        },
        close: () => {
          end(() => undefined);
          socket.close(CLOSE_NORMAL);
        },
      };
    },
  };
}
