import { pluginHarness } from '../../../core/testing/harness.ts';
import type { PluginHarness } from '../../../core/testing/harness.ts';
import { activate } from '../client/index.ts';
import { manifest } from '../manifest.ts';
import { alertDismiss, confirmDismiss, dialogClose, dialogOpen, promptDismiss } from '../protocol.ts';
import type { DialogRequest } from '../protocol.ts';

/** Test API in the page: the client half, and a host that only records its messages. */
interface DialogsShell extends PluginHarness {
  readonly answers: readonly (readonly [name: string, params: unknown])[];
  open(request: Partial<DialogRequest>): Promise<void>;
  close(id: number): Promise<void>;
}

declare global {
  interface Window {
    shell: DialogsShell;
  }
}

const harness = pluginHarness(manifest);
const { host, client, flush } = harness;
const answers: [string, unknown][] = [];
host.commands.handle(alertDismiss, (params) => void answers.push(['alert-dismiss', params]));
host.commands.handle(confirmDismiss, (params) => void answers.push(['confirm-dismiss', params]));
host.commands.handle(promptDismiss, (params) => void answers.push(['prompt-dismiss', params]));
void activate(client);

window.shell = {
  ...harness,
  answers,
  open: (request) => {
    const whole = { id: 1, kind: 'alert', site: 'site.test', message: 'Well?', defaultText: '', ...request } as const;
    host.commands.send(dialogOpen, whole);
    return flush();
  },
  close: (id) => {
    host.commands.send(dialogClose, { id });
    return flush();
  },
};
