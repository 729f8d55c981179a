/** A cell for tests: it runs commands that come as lines of JSON on its link, and answers each with a line. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { createInterface } from 'node:readline';
import type { CdpConnection } from '../../surrogate/cdp.ts';
import { closeBrowser, connectBrowser, greetBrowser } from '../../surrogate/browser-greeting.ts';
import { openLink } from '../cell-end.ts';

const link = openLink();
let connection: CdpConnection | undefined;
const kept: Buffer[] = [];

const REACH = {
  readdir: (folder: string): unknown => readdirSync(folder),
  read: (file: string): unknown => readFileSync(file),
  write: (file: string): unknown => writeFileSync(file, 'x'),
  signal: (pid: string): unknown => process.kill(Number(pid), 0),
  connect: (file: string): unknown => once(net.connect(file), 'connect'),
};

function isSocket(fd: number): boolean {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`).startsWith('socket:');
  } catch {
    return false; // the folder's own
  }
}

const COMMANDS: Record<string, (argument: never) => unknown> = {
  about: () => ({
    uid: process.getuid?.(),
    groups: process.getgroups?.(),
    env: process.env,
    argv: process.argv,
    cwd: process.cwd(),
    sockets: readdirSync('/proc/self/fd')
      .filter((fd) => isSocket(Number(fd)))
      .map(Number),
  }),
  /** Tries to access something of another user. Returns the code of the refusal. */
  reach: async ({ how, what }: { how: keyof typeof REACH; what: string }) => {
    try {
      await REACH[how](what);
      return 'reached';
    } catch (thrown) {
      return (thrown as NodeJS.ErrnoException).code; // of the system
    }
  },
  eat: (bytes: number) => {
    for (let left = bytes; left > 0; left -= 1e7) kept.push(Buffer.alloc(1e7, 1));
    return kept.length;
  },
  heap: () => {
    const all: unknown[] = [];
    for (;;) all.push(new Array(1e5).fill(Math.random()));
  },
  /** Starts processes until a start fails. */
  fork: async (count: number) => {
    for (let n = 0; n < count; n++) {
      const child = spawn('sleep', ['60'], { stdio: 'ignore' });
      const ok = await new Promise<boolean>((resolve) => {
        child.once('spawn', () => resolve(true));
        child.once('error', () => resolve(false));
      });
      if (!ok) return n;
    }
    return count;
  },
  /** Its network namespace, and the names of the interfaces in it. */
  network: () => ({
    namespace: readlinkSync('/proc/self/ns/net'),
    interfaces: [...readFileSync('/proc/net/dev', 'utf8').matchAll(/^ *([^|:]+):/gm)].map(([, name]) => name),
  }),
  /** Connects to a port of 127.0.0.1. Returns the code of the refusal. */
  dial: async (port: number) => {
    try {
      await once(net.connect(port, '127.0.0.1'), 'connect');
      return 'reached';
    } catch (thrown) {
      return (thrown as NodeJS.ErrnoException).code; // of the system
    }
  },
  spin: () => {
    for (;;);
  },
  say: (text: string) => console.log(text),
  exit: (code: number) => process.exit(code),
  connect: async ({ socketPath, pageHalf }: { socketPath: string; pageHalf: boolean }) => {
    connection = await connectBrowser(socketPath);
    return greetBrowser(connection, { pageHalf });
  },
  evaluate: async (expression: string) => {
    if (!connection) throw new Error('no browser');
    const { targetId } = await connection.root.send('Target.createTarget', { url: 'about:blank' });
    const page = await connection.attach(targetId);
    const crashed = new Promise<never>((_resolve, reject) => {
      page.on('Inspector.targetCrashed', () => reject(new Error('page crashed')));
    });
    await page.send('Inspector.enable');
    const options = { expression, returnByValue: true, awaitPromise: true };
    const evaluated = page.send('Runtime.evaluate', options, { deadlineMs: 90_000 });
    const { result } = await Promise.race([evaluated, crashed]);
    return result.value as unknown;
  },
  closeBrowser: () => connection && closeBrowser(connection),
};

createInterface({ input: link }).on('line', (line) => {
  const [id, name, argument] = JSON.parse(line) as [number, string, never]; // from the test
  const send = (ok: unknown, error?: string): void => void link.write(`${JSON.stringify({ id, ok, error })}\n`);
  (async () => COMMANDS[name]?.(argument))().then(
    (value) => send(value),
    (thrown: unknown) => send(undefined, String(thrown)),
  );
});
link.on('close', () => process.exit());
link.on('error', () => process.exit());
