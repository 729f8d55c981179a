import { token } from './token.ts';

/** What the policy says of the page shown; all that is not answered is left out, and nothing is when the call fails (S-111). */
export type PolicyValues = Readonly<Record<string, unknown>>;

/** The host's policy, as the client may ask it. */
export interface PolicyAnswers {
  /** The values of these keys for the page shown. Never rejects. */
  query(keys: readonly string[]): Promise<PolicyValues>;
  /** Has the host do what the policy lets the person do: `bypass`, `readonly_exit`. Answers with what it gives. Never rejects. */
  act(action: string, extras?: PolicyValues): Promise<PolicyValues>;
}

/** The tab's policy; the core provides it. */
export const policyToken = token<PolicyAnswers>('vitrine.policy');
