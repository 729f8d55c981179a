import { setTimeout as delay } from 'node:timers/promises';
import type { BrowserContext } from 'playwright';
import type { WebSocket } from 'ws';
import { VIEWPORT } from '../../fidelity/browser.ts';
import { RawPerson } from '../../security/raw-person.ts';
import { cellsOf, ELSEWHERE, launchNice, visit } from '../hostile-person.ts';
import { liveProduct } from '../live-product.ts';
import { median } from '../measure.ts';
import type { Row } from '../measure.ts';
import { VIEW } from '../shown.ts';
import type { Stage } from '../stage.ts';
import { echoes, TYPING_PAGE } from '../typing.ts';

export const name = 'crowd';

/** People whose pages stay open; one of them types. */
const PEOPLE = 9;
/** Pages of the tenth, by their name in `hostile.html`. */
const HOSTILE = [
  ...['backslashes', 'comments', 'fonts', 'addresses', 'names', 'attributes', 'memory', 'mutations'],
  ...['processes', 'storage', 'frozen', 'messages'],
];
/** Interval of asking for `/healthz`, in ms. */
const ASK_MS = 100;
/** Bytes that may wait in a client's connection before it sends more. */
const MAX_BUFFERED = 16 * 1024 * 1024;

/**
 * From a key press to its character for one of nine people, and the time of `/healthz`, while a tenth person is hostile; the peer is the
 * same without the tenth.
 */
export async function run(stage: Stage): Promise<Row[]> {
  const { host, hostPid, pages } = stage;
  if (host === undefined) return [];
  if (hostPid === undefined) throw new Error('the host is not the run’s own');
  const person = await launchNice(ELSEWHERE);
  const others = await launchNice(-ELSEWHERE);
  const people: BrowserContext[] = [];
  try {
    const { client } = await liveProduct(await person.newContext({ viewport: VIEWPORT }), host).open(
      pages.page(TYPING_PAGE).url,
    );
    for (let each = 1; each < PEOPLE; each++) {
      const context = await others.newContext({ viewport: VIEWPORT });
      people.push(context);
      await liveProduct(context, host).open(pages.page('corpus/article.html').url);
    }
    const peaceful = new Set(cellsOf(hostPid));
    const rows: Row[] = [];
    const measured = async (): Promise<Readonly<Record<'echo' | 'healthz', number>>> => {
      const health = askAgainAndAgain(`${host}/healthz`);
      const echo = median(await echoes(client, { frame: VIEW, roundTrip: 0, effect: 'character' }));
      return { echo, healthz: median(await health.stop()) };
    };
    const beside = async (what: string, start: () => Promise<() => Promise<void>>): Promise<void> => {
      try {
        const alone = await measured();
        const stop = await start();
        try {
          const now = await measured();
          for (const figure of ['echo', 'healthz'] as const)
            rows.push({
              name: `${figure} for nine people beside ${what}, median`,
              unit: 'ms',
              values: { vitrine: now[figure], alone: alone[figure] },
            });
        } finally {
          await stop();
        }
      } catch (error) {
        stage.fault(`${name}, ${what}`, error);
      } finally {
        for (const pid of cellsOf(hostPid)) if (!peaceful.has(pid)) kill(pid);
      }
    };
    for (const hostile of HOSTILE)
      await beside(`a hostile page (${hostile})`, async () => {
        const context = await others.newContext({ viewport: VIEWPORT });
        await visit(await context.newPage(), `${host}/${pages.page('bench/pages/hostile.html').url}&case=${hostile}`);
        return () => context.close();
      });
    await beside('a client that floods its channel', () => floodedChannel(host, pages.page(TYPING_PAGE).url));
    return rows;
  } finally {
    await person.close();
    await others.close();
  }
}

/** Sends messages that are none for as long as the host takes them, and connects again and again. */
async function floodedChannel(host: string, url: string): Promise<() => Promise<void>> {
  const raw = await RawPerson.arrive(host, url);
  const connect = (): WebSocket => raw.socket({ chid: 'flood' }).on('error', () => undefined); // refused or closed: the next one is tried
  let socket = connect();
  const flood = setInterval(() => {
    if (socket.readyState === socket.CLOSED) socket = connect();
    if (socket.readyState !== socket.OPEN || socket.bufferedAmount > MAX_BUFFERED) return;
    for (let sent = 0; sent < 200; sent++) socket.send(JSON.stringify([sent, 1, 'x'.repeat(10_000)]));
  }, 10);
  return async () => {
    clearInterval(flood);
    socket.terminate();
    await raw.leave();
  };
}

/** Asks for an address until it is stopped; returns the time of each answer, in ms. */
function askAgainAndAgain(url: string): { stop(): Promise<readonly number[]> } {
  const times: number[] = [];
  let isOver = false;
  const asking = (async () => {
    while (!isOver) {
      const start = performance.now();
      await (await fetch(url)).text();
      times.push(performance.now() - start);
      await delay(ASK_MS);
    }
  })();
  return {
    stop: async () => {
      isOver = true;
      await asking;
      return times;
    },
  };
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it has ended meanwhile
  }
}
