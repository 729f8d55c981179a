import { token } from '../../core/contracts/token.ts';

/** The history of a tab's page, as it is sent to the client. */
export interface PageHistory {
  /** Resolves once the client has been sent the entries of all that the page has navigated to up to now. Never rejects. */
  followed(): Promise<void>;
}
export const pageHistoryToken = token<PageHistory>('vitrine.page-history');
