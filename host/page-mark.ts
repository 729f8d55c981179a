import { token } from '../core/contracts/token.ts';

/** Marks the pages of a tab with a text, where the policy has one. */
export interface PageMark {
  /** The text over what is printed now; empty where there is none. */
  printed(): string;
}

/** What marks the pages of a tab: nothing does where nobody provides it. */
export const pageMarkToken = token<PageMark>('vitrine.page-mark');
