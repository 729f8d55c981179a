import { token } from './token.ts';

/** The history of the person's own tab, which follows that of the page. */
export interface PersonHistory {
  /** Does something in the entry of the page: at once, or after the move that the shell is about to make. */
  inEntry(act: () => void): void;
}

/** The history of the person's own tab; absent where nothing follows that of the page. */
export const personHistoryToken = token<PersonHistory>('vitrine.person-history');
