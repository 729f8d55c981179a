import { mkdtemp, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { PERSON_FLAGS } from '../../core/testing/person-browser.ts';
import { missing, startProcess } from '../engines/own-process.ts';
import { chromiumPath, VIEWPORT } from '../fidelity/browser.ts';

/** Debian's packages of the peer. */
const PACKAGES = 'novnc tigervnc-standalone-server websockify';
/** The web client, as Debian's package has it. */
const CLIENT = '/usr/share/novnc';

/** A browser that is shown as pictures: TigerVNC's server, and noVNC in the person's tab. */
interface Vnc {
  /** Port of its web server and websocket. */
  readonly port: number;
  stop(): Promise<void>;
}

/** Path of the client's page, whose address stands behind an origin. */
export const VNC_PATH = '/vnc_lite.html?path=websockify&reconnect=false';

/** Opens a page in a browser without a frame, on a screen of its own of the usual size, and serves it. The caller stops it. */
export async function startVnc(url: string): Promise<Vnc> {
  if (!existsSync(CLIENT)) throw new Error(missing('noVNC', PACKAGES));
  await using stack = new AsyncDisposableStack();
  const folder = stack.adopt(await mkdtemp(path.join(os.tmpdir(), 'vitrine-vnc-')), (created) =>
    rm(created, { recursive: true, force: true, maxRetries: 5 }),
  );
  const start = async (...[options]: Parameters<typeof startProcess>): Promise<string> =>
    stack.adopt(await startProcess(options), (started) => started.stop()).said;
  const [rfbPort, port] = [await freePort(), await freePort()];
  const size = `${VIEWPORT.width}x${VIEWPORT.height}`;
  const display = await start({
    command: 'Xtigervnc',
    args: [
      ...['-displayfd', '1', '-rfbport', String(rfbPort), '-localhost', '-SecurityTypes', 'None'],
      ...['-geometry', size, '-depth', '24', '-AlwaysShared'],
    ],
    ready: /^(\d+)\n/m,
    packages: PACKAGES,
  });
  await start({
    command: chromiumPath(),
    args: [
      ...PERSON_FLAGS,
      ...['--no-sandbox', '--test-type', '--password-store=basic', '--kiosk', '--window-position=0,0'],
      ...[`--window-size=${VIEWPORT.width},${VIEWPORT.height}`, `--user-data-dir=${path.join(folder, 'profile')}`],
      url,
    ],
    env: { DISPLAY: `:${display}`, HOME: folder },
    packages: 'chromium',
  });
  await start({
    command: 'websockify',
    args: ['--web', CLIENT, `127.0.0.1:${port}`, `127.0.0.1:${rfbPort}`],
    ready: /(proxying from)/,
    packages: PACKAGES,
  });
  const owned = stack.move();
  return { port, stop: () => owned.disposeAsync() };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on TCP
  await new Promise((resolve) => server.close(resolve));
  return port;
}
