import { token } from '../../core/contracts/token.ts';

/** Marks the pages of a tab with a text, where the policy has one. */
export interface PageMark {
  /** Text over what is printed now; empty when there is none. */
  printed(): string;
}

/** Service that marks the pages of a tab; without a provider there are no marks. */
export const pageMarkToken = token<PageMark>('vitrine.page-mark');
