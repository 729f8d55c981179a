import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ServerResponse } from 'node:http';
import { REPLAY_PAGE } from '../fidelity/rrweb.ts';
import { serveFolder } from '../fidelity/static-server.ts';
import type { StaticServer } from '../fidelity/static-server.ts';

/** Where the replay page stands, on the origin of the pages that it replays. */
export const REPLAY_PATH = '/.vitrine-replay';

/** The pages of the measures. Those that take commands ask for them at `/next?lane=LANE` and hold the request open. */
export interface PageServer extends StaticServer {
  /** Returns the address of a page, and a function that sends it a command. */
  page(file: string): { url: string; command(text: string): void };
}

/** Serves `tests/`, so that pages of the corpus can be measured too. */
export async function servePages(): Promise<PageServer> {
  const waiting = new Map<string, ServerResponse>();
  const commands = new Map<string, string[]>();
  const pump = (lane: string): void => {
    const response = waiting.get(lane);
    const next = response && commands.get(lane)?.shift();
    if (next === undefined) return;
    waiting.delete(lane);
    response?.end(next);
  };
  const server = await serveFolder(path.resolve(import.meta.dirname, '..'), ({ url = '/' }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    if (pathname === REPLAY_PATH) {
      response.writeHead(200, { 'content-type': 'text/html' }).end(REPLAY_PAGE);
      return true;
    }
    if (pathname === '/machine-font') {
      response.writeHead(200, { 'content-type': 'font/ttf' }).end(machineFont());
      return true;
    }
    if (pathname !== '/next') return false;
    const lane = searchParams.get('lane') ?? '';
    waiting.set(lane, response.writeHead(200, { 'content-type': 'text/plain', 'cache-control': 'no-store' }));
    pump(lane);
    return true;
  });
  let opened = 0;
  return {
    ...server,
    page: (file) => {
      const lane = String(++opened);
      return {
        url: `${server.origin}/${file}?lane=${lane}`,
        command: (text) => {
          commands.set(lane, [...(commands.get(lane) ?? []), text]);
          pump(lane);
        },
      };
    },
  };
}

/** A font of this machine, of some hundred kilobytes. Throws where there is no fontconfig. */
function machineFont(): Buffer {
  return readFileSync(execFileSync('fc-match', ['-f', '%{file}', 'sans'], { encoding: 'utf8' }));
}
