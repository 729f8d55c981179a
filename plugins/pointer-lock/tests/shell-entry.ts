import { rendererToken } from '../../../core/index.ts';
import type { Renderer } from '../../../core/index.ts';
import { messagesOf } from '../../../core/contracts/manifest.ts';
import { pluginHarness } from '../../../core/testing/harness.ts';
import type { PluginHarness } from '../../../core/testing/harness.ts';
import type { Message } from '../../../core/protocol/message.ts';
import { activate } from '../client/index.ts';
import { manifest } from '../manifest.ts';
import { lockOver, lockRequest } from '../protocol.ts';

/** Test API in the page: the client half, with a view whose only document is the iframe `#view`. */
interface LockShell extends PluginHarness {
  /** Messages that the host has received, without the plugin's name, in order. */
  readonly received: readonly (readonly [name: string, params: unknown])[];
  /** Events of the mouse that the view has heard, by type and button. */
  readonly heard: readonly string[];
  ask(id: number, unadjusted?: boolean): Promise<void>;
  over(): Promise<void>;
  /** No more input is taken, as with a dead channel. */
  stop(): void;
}

declare global {
  interface Window {
    lockShell: LockShell;
  }
}

const view = document.querySelector<HTMLIFrameElement>('#view');
const inner = view?.contentDocument;
if (!view || !inner) throw new Error('the page has no view');

const harness = pluginHarness(manifest);
const { host, client, clientServices, clientInput, flush } = harness;
const received: [string, unknown][] = [];
for (const message of messagesOf(manifest) as Message[])
  // of each its own
  if (message.direction === 'client-to-host')
    host.commands.handle(message, (params) => void received.push([message.name.replace('pointer-lock.', ''), params]));
const heard: string[] = [];
for (const type of ['mousedown', 'mouseup'] as const)
  inner.addEventListener(type, ({ button, clientX, clientY }) => heard.push(`${type} ${button} ${clientX} ${clientY}`));

const renderer: Pick<Renderer, 'view' | 'documents' | 'onScroll' | 'onEdit'> = {
  view,
  documents: (each) => each({ frame: 1, document: inner }),
  onScroll: () => () => undefined,
  onEdit: () => () => undefined,
};
clientServices.provide(rendererToken, renderer as Renderer); // no other members are used
clientInput.start(renderer as Renderer); // as above
void activate(client);

window.lockShell = {
  ...harness,
  received,
  heard,
  ask: (id, unadjusted = false) => {
    host.commands.send(lockRequest, { id, unadjusted });
    return flush();
  },
  over: () => {
    host.commands.send(lockOver, undefined);
    return flush();
  },
  stop: () => clientInput.stop(),
};
