import { SESSION_FOUND, SESSION_NOT_FOUND } from '../protocol/wire.ts';
import { queryOf } from './transport.ts';
import type { Transport } from './transport.ts';

/** Close codes of ours (RFC 6455 leaves 4000-4999 to applications): the session is not known; the request was wrong. */
const CLOSE_REFUSED = [4400, 4404];
const CLOSE_NORMAL = 1000;
/** Why the host closes the websocket of a channel that another client has taken over: to come again would take it back. */
const REPLACED = 'replaced';

/** The websocket of the surrogate channel at `{origin}/r/websocket` (M-073, M-075): binary frames down, JSON text up. */
export function webSocketTransport(origin: string): Transport {
  const base = origin.replace(/^http/, 'ws');
  return {
    mode: 'websocket',
    open(names, events) {
      const socket = new WebSocket(`${base}/r/websocket?${queryOf(names)}`);
      socket.binaryType = 'arraybuffer';
      let isOpen = true;
      const end = (tell: () => void): void => {
        if (!isOpen) return;
        isOpen = false;
        tell();
      };
      socket.onmessage = ({ data }: MessageEvent<ArrayBuffer | string>) => {
        if (!isOpen) return;
        if (typeof data !== 'string') events.frame(new Uint8Array(data));
        else if (data === SESSION_FOUND) events.found();
        else if (data === SESSION_NOT_FOUND)
          end(() => {
            events.notFound();
          });
      };
      socket.onclose = ({ code, reason }) => {
        end(() => {
          if (CLOSE_REFUSED.includes(code)) events.notFound();
          else events.closed(code === CLOSE_NORMAL && reason === REPLACED ? 'final' : 'network');
        });
      };
      return {
        send: (text) => {
          if (socket.readyState === WebSocket.OPEN) socket.send(text); // the channel keeps what a closing socket drops
        },
        close: () => {
          end(() => undefined);
          socket.close(CLOSE_NORMAL);
        },
      };
    },
  };
}
