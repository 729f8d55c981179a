import type { CallServer } from '../../channel/server-call.ts';
import type { ClientHooks } from '../../contracts/client-hooks.ts';
import { hooksToken } from '../../contracts/client-hooks.ts';
import { helperToken } from '../../contracts/cross-origin-frame.ts';
import type { Helper } from '../../contracts/cross-origin-frame.ts';
import { policyToken } from '../../contracts/policy-answers.ts';
import type { PolicyAnswers } from '../../contracts/policy-answers.ts';
import type { Services } from '../../contracts/scope.ts';
import { textsToken } from '../../contracts/texts.ts';
import type { Texts } from '../../contracts/texts.ts';
import type { Report } from '../../events/report.ts';
import type { Paired } from '../pairing/pairing.ts';
import type { SessionInfo } from '../shell/session-info.ts';

/** Dependencies of the core's services. */
export interface CoreServicesOptions {
  readonly window: Window & typeof globalThis;
  readonly info: SessionInfo;
  readonly answer: Paired;
  readonly tabId: string;
  readonly call: CallServer;
  readonly report: Report;
  readonly hooks: ClientHooks;
  readonly messages: Texts;
  /** The current page. */
  readonly page: { readonly url: string };
}

/** Provides the core's services. The code of the helper and of policy calls is fetched on first use. */
export function provideCore(services: Services, options: CoreServicesOptions): void {
  const { window, info, report } = options;
  services.provide(hooksToken, options.hooks);
  services.provide(textsToken, options.messages);
  let helper: Promise<Helper> | undefined;
  const helping = (): Promise<Helper> =>
    (helper ??= import('../cof/client.ts').then(({ openHelper }) => openHelper(window, info, report)));
  services.provide(helperToken, {
    call: async (...args) => (await helping()).call(...args),
    useInspectHost: async (use) => (await helping()).useInspectHost(use),
  });
  const policy = async (): Promise<PolicyAnswers> => (await import('./policy-calls.ts')).tabPolicy(options);
  services.provide(policyToken, {
    query: async (keys) => (await policy()).query(keys),
    act: async (...action) => (await policy()).act(...action),
  });
}
