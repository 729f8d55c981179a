import { globSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CALL_MS, expressionOf } from './engine.ts';
import type { Engine, InputSource, Viewport } from './engine.ts';
import { missing, startProcess } from './own-process.ts';

const PACKAGES = 'webkit2gtk-driver xvfb';
const READY_MS = 30_000;
/** A blinking caret would make pictures differ. */
const STILL = '[Settings]\ngtk-cursor-blink=false\ngtk-enable-animations=false\ngtk-overlay-scrolling=false\n';
/** The default differs between machines: this is the surrogate's, for controls and for generic families. */
const CONTROL_FONT = 'gtk-font-name=Arial 10\n';
const FONTS = [
  '--default-font-family=Times New Roman',
  '--serif-font-family=Times New Roman',
  '--sans-serif-font-family=Arial',
];

/** Calls one WebDriver endpoint below the session. Throws the driver's error. */
type Call = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<unknown>;

/**
 * Starts Debian's WebKit on a display of its own, over WebDriver. If it is missing, throws with the packages to
 * install. The caller closes it.
 */
export async function launchWebKit(viewport: Viewport): Promise<Engine> {
  const [binary] = globSync('/usr/lib/*/webkit2gtk-4.1/MiniBrowser');
  if (binary === undefined) throw new Error(missing('MiniBrowser', PACKAGES));
  await using stack = new AsyncDisposableStack();
  const start = async (options: Omit<Parameters<typeof startProcess>[0], 'packages'>): Promise<string> =>
    stack.adopt(await startProcess({ ...options, packages: PACKAGES }), (process) => process.stop()).said;
  const display = await start({
    command: 'Xvfb',
    args: ['-displayfd', '1', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'],
    ready: /^(\d+)\n/m,
  });
  const settings = await mkdtemp(path.join(tmpdir(), 'vitrine-webkit-'));
  stack.defer(() => rm(settings, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
  await mkdir(path.join(settings, 'gtk-3.0'));
  await writeFile(path.join(settings, 'gtk-3.0/settings.ini'), STILL + CONTROL_FONT);
  const port = await freePort();
  // Its own sandbox does not start for root, and it shows nothing but loopback here.
  const unconfined = process.getuid?.() === 0 ? { WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' } : {};
  await start({
    command: 'WebKitWebDriver',
    args: ['--host=127.0.0.1', `--port=${port}`],
    env: {
      DISPLAY: `:${display}`,
      XDG_CONFIG_HOME: settings,
      LANG: 'en_US.UTF-8', // it reports the machine's language to pages, which may be none
      WEBKIT_SKIA_ENABLE_CPU_RENDERING: '1',
      WEBKIT_SKIA_CPU_PAINTING_THREADS: '0',
      ...unconfined,
    },
  });
  const driver = endpoint(`http://127.0.0.1:${port}`);
  await answering(driver);
  const { sessionId, capabilities } = (await driver('POST', '/session', {
    capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': { binary, args: ['--automation', ...FONTS] } } },
  })) as { sessionId: string; capabilities: { browserVersion: string } }; // WebDriver's own format
  const call = endpoint(`http://127.0.0.1:${port}/session/${sessionId}`);
  stack.defer(async () => {
    await call('DELETE', '').catch(() => undefined);
  }); // it may have ended already
  const evaluate: Engine['evaluate'] = async (body, argument) => {
    const script = `return ${expressionOf(body, argument)}`;
    return JSON.parse((await call('POST', '/execute/sync', { script, args: [] })) as string) as never; // written by the expression
  };
  await resize(call, evaluate, viewport);
  const turned = { deltaX: 0, deltaY: 0 };
  /** The driver turns the wheel by the difference from the previous action: each gives the total turn. */
  const summed = (source: InputSource): InputSource => {
    if (source.type !== 'wheel') return source;
    const actions = source.actions.map((action) => {
      turned.deltaX += action.deltaX;
      turned.deltaY += action.deltaY;
      return { ...action, ...turned };
    });
    return { ...source, actions };
  };
  const resources = stack.move();
  return {
    version: `WebKitGTK ${capabilities.browserVersion}`,
    goto: async (url) => {
      await call('POST', '/url', { url });
    },
    evaluate,
    perform: async (sources) => {
      await call('POST', '/actions', { actions: sources.map(summed) });
    },
    traverse: async (delta) => {
      await call('POST', delta < 0 ? '/back' : '/forward', {});
    },
    picture: async () => Buffer.from((await call('GET', '/screenshot')) as string, 'base64'), // WebDriver's own format
    close: () => resources.disposeAsync(),
  };
}

function endpoint(base: string): Call {
  return async (method, path, body) => {
    const response = await fetch(base + path, {
      method,
      signal: AbortSignal.timeout(CALL_MS),
      ...(body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
    });
    const { value } = (await response.json()) as { value: unknown }; // WebDriver's own format
    if (response.ok) return value;
    const { error, message } = value as { error: string; message: string };
    throw new Error(`${method} ${path}: ${error}: ${message}`);
  };
}

/** The driver prints nothing when it starts to listen. */
async function answering(driver: Call): Promise<void> {
  const end = performance.now() + READY_MS;
  for (;;) {
    try {
      await driver('GET', '/status');
      return;
    } catch (error) {
      if (performance.now() > end) throw error;
      await delay(100);
    }
  }
}

/** Resizes the window until the viewport, without the bars, has the requested size. */
async function resize(call: Call, evaluate: Engine['evaluate'], { width, height }: Viewport): Promise<void> {
  const end = performance.now() + READY_MS;
  const size = { width, height };
  for (;;) {
    await call('POST', '/window/rect', { x: 0, y: 0, ...size });
    await delay(200);
    const inner = await evaluate(() => ({ width: innerWidth, height: innerHeight }), undefined);
    if (inner.width === width && inner.height === height) return;
    if (performance.now() > end) throw new Error(`The viewport stays at ${inner.width}x${inner.height}.`);
    size.width += width - inner.width;
    size.height += height - inner.height;
  }
}

async function freePort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on TCP
  await new Promise((resolve) => server.close(resolve));
  return port;
}
