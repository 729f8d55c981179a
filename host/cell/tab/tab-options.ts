import type { Log } from '../../../core/contracts/scope.ts';
import type { PairRequest } from '../../../core/protocol/pairing.ts';
import type { SystemFonts } from '../../fonts/system-fonts.ts';
import type { ServiceRegistry } from '../../../core/plugins/services.ts';
import type { Decision } from '../../policy/decision.ts';
import type { EgressReason } from '../egress/reasons.ts';
import type { UserAgent } from '../../surrogate/user-agent.ts';
import type { RegisteredPlugin } from '../../plugins/registry.ts';
import type { PageBudgets } from '../../base/page-budgets.ts';
import type { HostAccessOf } from '../../plugins/host-access.ts';
import type { Tab } from './tab.ts';

/** Options of a tab. */
export interface TabOptions {
  readonly id: string;
  readonly cid: string;
  /** Secret id of the tab for its person. */
  readonly safeRid: string;
  readonly rid: string;
  readonly subject: string;
  readonly request: PairRequest;
  readonly capabilities: Readonly<Record<string, unknown>>;
  /** The person's policy on a page. */
  readonly policy: {
    readonly decide: (address: string | readonly string[]) => Decision;
    readonly siteCapabilities: (url: string) => Readonly<Record<string, unknown>>;
  };
  /** Plugins that these capabilities switch on. */
  readonly plugins: readonly { readonly plugin: RegisteredPlugin; readonly variant: string }[];
  /** Capabilities that a flag has decided: their plugins report when they are first used. */
  readonly flags: readonly string[];
  readonly surrogate: () => UserAgent;
  readonly reasonFor: (url: string) => EgressReason | undefined;
  readonly systemFonts: SystemFonts;
  /** Services of the session. */
  readonly services: ServiceRegistry;
  readonly accessOf: HostAccessOf;
  readonly resource: (tab: Tab, kind: 'i' | 'f' | 'm' | 's', address: string, frame: number) => string;
  readonly shows: (path: string) => Promise<boolean>;
  /** Closes a window that the tab's page has opened, by its token. */
  readonly closeWindow: (tab: Tab, token: string) => void;
  /** Called when the tab is shown or hidden. */
  readonly onShown: (tab: Tab, isShown: boolean) => void;
  /** Called when the page does not respond at all: another must replace it. */
  readonly onStuck: (tab: Tab) => void;
  /** Maximum number of messages of the tab's page halves in a second. */
  readonly messagesPerSecond: number;
  /** Work that the page may cause. */
  readonly budgets: PageBudgets;
  /** Called with every fault of its client, pages and plugins: its source and its code. */
  readonly onFault: (from: string, code: string) => void;
  readonly log: Log;
}
