import type { Log } from '../../../core/contracts/scope.ts';
import type { PairRequest } from '../../../core/protocol/pairing.ts';
import type { SystemFonts } from '../../plugin.ts';
import type { ServiceRegistry } from '../../../core/plugins/services.ts';
import type { Decision } from '../../policy/decision.ts';
import type { EgressReason } from '../egress/reasons.ts';
import type { UserAgent } from '../../surrogate/user-agent.ts';
import type { RegisteredPlugin } from '../../plugins/registry.ts';
import type { ServiceOf } from '../../plugins/service-client.ts';
import type { Tab } from './tab.ts';

/** What a tab is made of. */
export interface TabOptions {
  readonly id: string;
  readonly cid: string;
  /** Secret that names the tab to its person. */
  readonly safeRid: string;
  readonly rid: string;
  readonly subject: string;
  readonly request: PairRequest;
  readonly capabilities: Readonly<Record<string, unknown>>;
  /** What the policy says of this person on a page. */
  readonly policy: {
    readonly decide: (url: string) => Decision;
    readonly siteCapabilities: (url: string) => Readonly<Record<string, unknown>>;
  };
  /** The plugins that these capabilities switch on. */
  readonly plugins: readonly { readonly plugin: RegisteredPlugin; readonly variant: string }[];
  /** Capabilities that a flag has decided: their plugins report when they are first used. */
  readonly flags: readonly string[];
  readonly surrogate: () => UserAgent;
  readonly reasonFor: (url: string) => EgressReason | undefined;
  readonly systemFonts: SystemFonts;
  /** Services of the session. */
  readonly services: ServiceRegistry;
  readonly serviceOf: ServiceOf;
  readonly resource: (tab: Tab, kind: 'i' | 'f' | 'm' | 's', address: string, frame: number) => string;
  readonly shows: (path: string) => Promise<boolean>;
  /** The person looks at the tab, or does not any longer. */
  readonly onShown: (tab: Tab, isShown: boolean) => void;
  /** Nothing reaches its page any more: another has to take its place. */
  readonly onStuck: (tab: Tab) => void;
  /** What the tab's page halves may send in a second. */
  readonly messagesPerSecond: number;
  /** Told of every fault of its client, pages and plugins: whose, and its code. */
  readonly onFault: (from: string, code: string) => void;
  readonly log: Log;
}
