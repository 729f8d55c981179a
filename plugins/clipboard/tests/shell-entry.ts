import { pastedFilesToken, rendererToken } from '../../../core/index.ts';
import type { ParamsOf, Renderer } from '../../../core/index.ts';
import { pluginHarness } from '../../../core/testing/harness.ts';
import type { PluginHarness } from '../../../core/testing/harness.ts';
import { activate } from '../client/index.ts';
import { manifest } from '../manifest.ts';
import { copied, execCommand, frameRules, paste, refused } from '../protocol.ts';
import type { Copied, Refusal } from '../protocol.ts';

/** Interface through which a test drives the page: the client half with the page's own document as its view, and a host that only records what it receives. */
interface ClipboardShell extends PluginHarness {
  readonly heard: readonly (readonly [name: string, params: unknown])[];
  start(policy?: unknown): Promise<void>;
  /** Has the host take no more of what is pasted. */
  refuseBodies(): void;
  /** Has a plugin that brings files into pages. */
  bring(): void;
  copied(content: Copied, picture?: Uint8Array): Promise<void>;
  refuse(refusal: Refusal): Promise<void>;
  /** Gives the frame a policy of its own. */
  rule(rules: ParamsOf<typeof frameRules>['rules']): Promise<void>;
  /** Pastes as a browser's menu would; the events' own data may be made to fail. */
  paste(content: Readonly<Record<string, string>>, files?: readonly File[]): Promise<void>;
  /** Says of what is in a slot what it shows. */
  shown(): unknown[];
}

declare global {
  interface Window {
    clipboardShell: ClipboardShell;
  }
}

const FRAME = 2;
const heard: [string, unknown][] = [];
const site: Record<string, unknown> = {};
let takesBodies = true;
const harness = pluginHarness(manifest, { siteCapabilities: site });
const { client, clientServices, host, flush, overlay } = harness;

window.clipboardShell = {
  ...harness,
  heard,
  async start(policy) {
    site['copy_paste_policy'] = policy;
    // All of a renderer that the plugin uses. The frame is one in the page.
    const renderer: Pick<Renderer, 'documents' | 'view'> = {
      documents: (each) => each({ frame: FRAME, document }),
      view: document.body,
    };
    clientServices.provide(rendererToken, renderer as Renderer);
    host.commands.handle(execCommand, (params) => void heard.push([execCommand.name, params]));
    host.commands.handle(paste, (params, body) => {
      heard.push([paste.name, params]);
      if (!takesBodies) body.cancel();
      else void body.bytes().then((bytes) => heard.push(['body', new TextDecoder().decode(bytes)]));
    });
    await activate(client);
  },
  refuseBodies: () => {
    takesBodies = false;
  },
  bring: () => {
    clientServices.provide(pastedFilesToken, {
      take: ({ files }, frame, hasPicture) => {
        const isTaken = files.length > Number(hasPicture);
        if (isTaken) heard.push(['files', { frame, names: [...files].map(({ name }) => name) }]);
        return isTaken;
      },
    });
  },
  copied: (content, picture = new Uint8Array()) => {
    host.commands.send(copied, content, { body: picture });
    return flush();
  },
  rule: (rules) => {
    host.commands.send(frameRules, { frame: FRAME, rules });
    return flush();
  },
  refuse: (refusal) => {
    host.commands.send(refused, refusal);
    return flush();
  },
  paste: async (content, files = []) => {
    const clipboardData = new DataTransfer();
    for (const [type, text] of Object.entries(content)) clipboardData.setData(type, text);
    for (const file of files) clipboardData.items.add(file);
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    await flush();
  },
  shown: () => overlay.filled.map(({ props }) => props),
};
