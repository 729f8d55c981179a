import { startPage } from '../../../core/kernel/start.ts';
import { recentPages } from '../../../core/portal/recent-pages.ts';
import { pluginHarness } from '../../../core/testing/harness.ts';
import { activate as activateClient } from '../client/index.ts';
import { manifest } from '../manifest.ts';
import { activate as activatePage } from '../page/index.ts';
import { favicon, setTitle } from '../protocol.ts';

/** Test API in the page: the client half in a shell, or the page half in a page. */
interface BrowserEntry {
  /** Starts the client half. Returns a function that sends it a title and an icon. */
  startClient(): (title: string, icon: string) => Promise<{ readonly faults: number; readonly recent: unknown }>;
  /** Starts the page half; `sent` receives its messages from then on. */
  startPage(): void;
  readonly sent: readonly (readonly [name: string, params: unknown])[];
  /** Number of polls of the page half's kernel so far. */
  polls: number;
}

declare global {
  interface Window {
    entry: BrowserEntry;
  }
}

const sent: [string, unknown][] = [];
window.entry = {
  startClient: () => {
    const { client, host, flush, faults } = pluginHarness(manifest);
    void activateClient(client);
    return async (title, icon) => {
      host.commands.send(setTitle, { title });
      host.commands.send(favicon, { address: icon });
      await flush();
      return { faults: faults.length, recent: recentPages(localStorage) };
    };
  },
  startPage: () => {
    Object.assign(globalThis, { vitrineSend: (json: string) => sent.push(JSON.parse(json) as [string, unknown]) });
    const activate: typeof activatePage = (scope) => {
      scope.kernel.onPoll(() => void (window.entry.polls += 1));
      return activatePage(scope);
    };
    startPage([{ manifest, activate }], {});
  },
  sent,
  polls: 0,
};
