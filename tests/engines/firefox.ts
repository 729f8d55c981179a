import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { CALL_MS, expressionOf } from './engine.ts';
import type { Engine, Viewport } from './engine.ts';
import { startProcess } from './own-process.ts';

/** Calls one method of WebDriver BiDi. Throws the browser's error. */
type Call = (method: string, params: object) => Promise<unknown>;

/** Firefox's language groups, each with fonts of its own. */
const FONT_GROUPS =
  `ar el he ja ko th x-armn x-beng x-cans x-cyrillic x-devanagari x-ethi x-geor x-gujr x-guru x-khmr x-knda
  x-mlym x-orya x-sinh x-tamil x-telu x-tibt x-unicode x-western zh-CN zh-HK zh-TW`.split(/\s+/);

const PREFERENCES = {
  // No requests to the network: all but loopback is sent to a port where nothing listens.
  'network.proxy.type': 1,
  'network.proxy.http': '127.0.0.1',
  'network.proxy.http_port': 9,
  'network.proxy.ssl': '127.0.0.1',
  'network.proxy.ssl_port': 9,
  // A blinking caret would make pictures differ.
  'ui.caretBlinkTime': 0,
  // A mouse, which the machine does not have: fine, and able to hover.
  'ui.primaryPointerCapabilities': 6,
  'ui.allPointerCapabilities': 6,
  // The default differs between machines; these are the surrogate's, for every language of a page.
  ...Object.fromEntries(
    FONT_GROUPS.flatMap((group) => [
      [`font.default.${group}`, 'serif'],
      [`font.name.serif.${group}`, 'Times New Roman'],
      [`font.name.sans-serif.${group}`, 'Arial'],
    ]),
  ),
  ...Object.fromEntries(['button', 'field', 'list'].map((control) => [`ui.font.-moz-${control}`, 'Arial'])),
};

/**
 * Starts Debian's Firefox without a window, over WebDriver BiDi, which it supports natively. If it is missing, throws
 * with the packages to install. The caller closes it.
 */
export async function launchFirefox(viewport: Viewport): Promise<Engine> {
  await using stack = new AsyncDisposableStack();
  const profile = await mkdtemp(path.join(tmpdir(), 'vitrine-firefox-'));
  stack.defer(() => rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
  const preferences = Object.entries(PREFERENCES).map((entry) => `user_pref(${JSON.stringify(entry).slice(1, -1)});\n`);
  await writeFile(path.join(profile, 'user.js'), preferences.join(''));
  const { said: address, stop } = await startProcess({
    command: 'firefox-esr',
    args: ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port=0', 'about:blank'],
    ready: /WebDriver BiDi listening on (ws:\S+)/,
    packages: 'firefox-esr',
  });
  stack.defer(stop);
  const socket = stack.adopt(new WebSocket(`${address}/session`), (s) => s.terminate());
  await once(socket, 'open');
  const call = caller(socket);
  const { capabilities } = (await call('session.new', { capabilities: {} })) as {
    capabilities: { browserVersion: string };
  }; // BiDi's own format, as all results below
  const { context } = (await call('browsingContext.create', { type: 'tab' })) as { context: string };
  await call('browsingContext.activate', { context });
  await call('browsingContext.setViewport', { context, viewport });
  const evaluate: Engine['evaluate'] = async (body, argument) => {
    const outcome = (await call('script.evaluate', {
      expression: expressionOf(body, argument),
      target: { context },
      awaitPromise: true,
    })) as { result?: { value: string }; exceptionDetails?: { text: string } };
    if (!outcome.result) throw new Error(outcome.exceptionDetails?.text);
    return JSON.parse(outcome.result.value) as never; // written by the expression
  };
  const resources = stack.move();
  return {
    version: `Firefox ${capabilities.browserVersion}`,
    goto: async (url) => {
      try {
        await call('browsingContext.navigate', { context, url, wait: 'complete' });
      } catch (error) {
        // Stops pending loads of the previous page: their end would count as the end of the navigation.
        if (!/NS_BINDING_ABORTED/.test(String(error))) throw error;
        const end = performance.now() + CALL_MS;
        while (!(await evaluate(hasLoaded, url))) {
          if (performance.now() > end) throw error;
          await delay(100);
        }
      }
    },
    evaluate,
    perform: async (actions) => {
      await call('input.performActions', { context, actions });
    },
    traverse: async (delta) => {
      await call('browsingContext.traverseHistory', { context, delta });
    },
    picture: async () => {
      const { data } = (await call('browsingContext.captureScreenshot', { context })) as { data: string };
      return Buffer.from(data, 'base64');
    },
    close: () => resources.disposeAsync(),
  };
}

/** Runs in the page. */
function hasLoaded(url: string): boolean {
  return location.href === url && document.readyState === 'complete';
}

function caller(socket: WebSocket): Call {
  let last = 0;
  const open = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  socket.on('message', (data) => {
    const answer = JSON.parse((data as Buffer).toString()) as {
      id: number;
      result?: unknown;
      error?: string;
      message?: string;
    }; // BiDi's own format; the socket hands out buffers
    const waiting = open.get(answer.id);
    open.delete(answer.id);
    if (answer.error === undefined) waiting?.resolve(answer.result);
    else waiting?.reject(new Error(`${answer.error}: ${answer.message}`));
  });
  socket.on('close', () => {
    for (const { reject } of open.values()) reject(new Error('Firefox has closed the connection.'));
    open.clear();
  });
  return (method, params) =>
    new Promise((resolve, reject) => {
      const id = ++last;
      const timer = setTimeout(() => {
        open.delete(id);
        reject(new Error(`${method} was not answered in time.`));
      }, CALL_MS);
      open.set(id, {
        resolve: (result) => {
          clearTimeout(timer);
          resolve(result);
        },
        reject: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      });
      socket.send(JSON.stringify({ id, method, params }));
    });
}
