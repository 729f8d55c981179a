import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContext } from 'playwright';
import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';
import { DEFLATE } from '../../host/gateway/compression.ts';
import { Shaper } from '../faults/shaper.ts';
import { waitForFinal } from '../fidelity/final-state.ts';

import { bundle, RECORDER, REPLAYER } from '../fidelity/rrweb.ts';
import { countTraffic } from './live-page.ts';
import type { LiveSubject } from './live-page.ts';
import { REPLAY_PATH } from './page-server.ts';

const READY_MS = 20_000;

/** Passes messages of the recording end of a lane to its replaying end. */
interface Relay {
  readonly origin: string;
  /** The network before the replaying ends. */
  readonly link: Shaper;
  close(): Promise<void>;
}

/**
 * Starts a websocket relay: `/record/LANE` sends, `/replay/LANE` receives, earlier messages included. It compresses as
 * the product does.
 */
export async function startRelay(): Promise<Relay> {
  const lanes = new Map<string, { waiting: string[]; target?: WebSocket }>();
  const http = createServer();
  const sockets = new WebSocketServer({ server: http, perMessageDeflate: DEFLATE });
  sockets.on('connection', (socket, { url }) => {
    const [, role, name = ''] = (url ?? '').split('/');
    const lane = lanes.get(name) ?? { waiting: [] };
    lanes.set(name, lane);
    if (role === 'replay') {
      lane.target = socket;
      for (const event of lane.waiting.splice(0)) socket.send(event);
    } else {
      socket.on('message', (data) => {
        const event = (data as Buffer).toString(); // ws emits a Buffer by default
        if (lane.target) lane.target.send(event);
        else lane.waiting.push(event);
      });
    }
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo; // a TCP server that listens has an AddressInfo
  const link = await Shaper.start(port);
  return {
    origin: `ws://127.0.0.1:${port}`,
    link,
    close: async () => {
      await link.close();
      for (const socket of sockets.clients) socket.terminate();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

/** Shows pages through rrweb: recorded in one browser, relayed, replayed live in the other, with default options. */
export async function liveRrweb(
  recording: BrowserContext,
  replaying: BrowserContext,
  relay: Relay,
): Promise<LiveSubject> {
  const [recorder, replayer] = await Promise.all([bundle(SENDER + RECORDER), bundle(REPLAYER + RECEIVER)]);
  let opened = 0;
  return {
    name: 'rrweb',
    open: async (url) => {
      const lane = String(++opened);
      const [live, client] = await Promise.all([recording.newPage(), replaying.newPage()]);
      const counter = await countTraffic(
        client,
        relay.link,
        ({ pathname, port }) => port === new URL(url).port && pathname !== REPLAY_PATH,
      );
      await client.goto(new URL(REPLAY_PATH, url).href);
      await client.evaluate(`window.vitrinePeerSocket = '${relay.link.origin.replace('http', 'ws')}/replay/${lane}'`);
      await client.addScriptTag({ content: replayer });
      await live.addInitScript(`window.vitrinePeerSocket = '${relay.origin}/record/${lane}'`);
      await live.addInitScript({ content: recorder });
      await live.goto(url);
      await waitForFinal(live, true);
      await client.waitForFunction(isReplayed, undefined, { timeout: READY_MS });
      return {
        client,
        frame: '.replayer-wrapper > iframe',
        hands: live,
        ...counter,
        close: async () => {
          await Promise.all([live.close(), client.close()]);
        },
      };
    },
  };
}

/** Runs in the replay page. */
function isReplayed(): boolean {
  const frame = document.querySelector<HTMLIFrameElement>('.replayer-wrapper > iframe');
  return frame?.contentDocument?.documentElement.getAttribute('data-ready') === '1';
}

/** Recording starts when relay and page are ready: a live replay stays as late as its first event was. */
const SENDER = `
  if (window === window.top) {
    const socket = new WebSocket(window.vitrinePeerSocket);
    const comes = (target, event) => new Promise((resolve) => target.addEventListener(event, resolve));
    const calm = () => new Promise((resolve) => setTimeout(resolve, 200));
    window.vitrinePeerOpen = Promise.all([comes(socket, 'open'), comes(window, 'load')]).then(calm);
    window.vitrinePeerSend = (json) => socket.send(json);
  }`;

const RECEIVER = `
  new WebSocket(window.vitrinePeerSocket).addEventListener('message', ({ data }) => window.vitrinePeerAdd(data));`;
