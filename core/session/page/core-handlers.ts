import type { Commands } from '../../contracts/scope.ts';
import type { Report } from '../../events/report.ts';
import type { ClientHooks } from '../../contracts/client-hooks.ts';
import type { Texts } from '../../contracts/texts.ts';
import type { ShellView } from '../../overlay/shell-view.ts';
import type { PluginLoader } from '../../loader/loader.ts';
import {
  bandwidthAction,
  disconnect,
  loadState,
  pageSilent,
  persistentPolicy,
  pluginWithdrawn,
  siteCaps,
  surrogateLost,
} from '../../protocol/core-messages.ts';
import { AppError } from '../../protocol/errors.ts';
import type { PageState } from './page-state.ts';

/** Callbacks for messages from the host. */
interface CoreHandlerOptions {
  readonly page: PageState;
  readonly hooks: ClientHooks;
  readonly loader: Pick<PluginLoader<unknown>, 'withdraw'>;
  readonly shell: ShellView;
  readonly messages: Texts;
  readonly report: Report;
  /** Ends the tab, whose content stays: a draining host is away for a moment, and a tab that reloads then would lose it for an error. */
  readonly detach: (reason: string) => void;
  /** Ends the tab, whose isolated browser is not replaced. */
  readonly surrogateLost: (reason: string) => void;
  /** Applies new site capabilities. */
  readonly onSiteCaps: (capabilities: Readonly<Record<string, unknown>>) => void;
  readonly keepPolicy: (policy: unknown) => void;
}

/** Display time, in ms, of the notice that the isolated browser was replaced and its state is lost. */
export const RESTORED_NOTICE_MS = 8000;

/** Handles the core's own messages. */
export function handleCore(commands: Pick<Commands, 'handle'>, options: CoreHandlerOptions): void {
  const { page, hooks, loader, shell, messages: texts, report, detach } = options;
  commands.handle(loadState, ({ state, url }) => {
    page.load(state, url);
  });
  commands.handle(siteCaps, (capabilities) => {
    page.siteCapabilities = capabilities;
    options.onSiteCaps(capabilities);
  });
  commands.handle(persistentPolicy, ({ policy }) => {
    options.keepPolicy(policy);
  });
  commands.handle(bandwidthAction, (use) => {
    void page.notify(hooks.bandwidth, use);
  });
  commands.handle(pluginWithdrawn, ({ id }) => {
    loader.withdraw(id);
  });
  commands.handle(pageSilent, ({ silent }) => {
    shell.notice('page', silent ? texts.text('ID_PAGE_SILENT') : undefined);
  });
  commands.handle(surrogateLost, ({ reason, restored }) => {
    report('tc-surrogate-lost', { reason, restored }, { level: 'warning', force: true });
    if (restored) {
      shell.notice('surrogate', texts.text('ID_SURROGATE_RESTORED'), RESTORED_NOTICE_MS);
      return;
    }
    options.surrogateLost(reason);
  });
  commands.handle(disconnect, ({ reason, reconnect }) => {
    if (!reconnect) throw new AppError('shutdown', reason);
    detach(reason);
  });
}
