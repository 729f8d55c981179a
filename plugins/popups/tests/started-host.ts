import { openedWindowsToken } from '../../../host/plugin.ts';
import type { Message } from '../../../host/plugin.ts';
import { pluginHarness } from '../../../core/testing/harness.ts';
import { activate } from '../host/index.ts';
import { manifest } from '../manifest.ts';
import { allowTabOpen, openAlone, tabClosed, tabDenied, tabInit, tabOpen } from '../protocol.ts';

export const TOKEN = 'p'.padEnd(44, 'x');
export const TAB = ['menubar', 'toolbar', 'status', 'scrollbars', 'resizable'];

/** Starts the host half with a client that keeps what it receives. */
export async function start() {
  const harness = pluginHarness(manifest);
  const { client, host, hostHooks, hostServices, cdp, flush } = harness;
  const closed: string[] = [];
  hostServices.provide(openedWindowsToken, { close: (token) => void closed.push(token) });
  const received: unknown[] = [];
  const hear = <P>(message: Message<P, undefined>): void => {
    client.commands.handle(message, (params) => void received.push([message.name, params]));
  };
  hear(tabOpen);
  hear(tabInit);
  hear(tabDenied);
  hear(tabClosed);
  hear(openAlone);
  cdp.answer('Page.createIsolatedWorld', () => ({ executionContextId: 1 }));
  cdp.answer('Runtime.evaluate', () => ({ result: { type: 'undefined' } }));
  await activate(host);
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 5; turn += 1) await flush();
  };
  const call = async (url: string, { gesture = false, features = TAB, name = '_blank', frame = 0 } = {}) => {
    cdp.emit('Page.windowOpen', { url, windowName: name, windowFeatures: features, userGesture: gesture }, frame);
    await settle();
  };
  const open = async (url: string, token = TOKEN, hasOpener = true) => {
    hostHooks.windowOpened.call({ token, url, hasOpener });
    await settle();
  };
  const answer = async (id: number, allowed: boolean) => {
    client.commands.send(allowTabOpen, { id, allowed });
    await settle();
  };
  const evaluated = () => cdp.sent.flatMap(({ method, params }) => (method === 'Runtime.evaluate' ? [params] : []));
  return { ...harness, closed, received: () => received.splice(0), settle, call, open, answer, evaluated };
}
