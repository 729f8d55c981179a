import { token } from './token.ts';

/** Policy values for the current page. Unanswered keys are omitted; the object is empty when the call fails (S-111). */
export type PolicyValues = Readonly<Record<string, unknown>>;

/** Client access to the host's policy. */
export interface PolicyAnswers {
  /** Returns the values of these keys for the current page. Never rejects. */
  query(keys: readonly string[]): Promise<PolicyValues>;
  /** Asks the host for an action that the policy allows: `bypass`, `readonly_exit`. Returns the host's response. Never rejects. */
  act(action: string, extras?: PolicyValues): Promise<PolicyValues>;
}

/** The tab's policy; the core provides it. */
export const policyToken = token<PolicyAnswers>('vitrine.policy');
