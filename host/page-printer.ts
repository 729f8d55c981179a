import { token } from '../core/contracts/token.ts';

/** Makes PDFs of a tab's page. */
export interface PagePrinter {
  /**
   * The page as it is now, on paper.
   *
   * @param options as they came with the request, unchecked: the printer's own
   * @throws AppError `policy-refused`, `bad-message`, `print-busy` (retryable), `stream-too-large`, or as CdpBroker.stream.
   */
  print(options: Readonly<Record<string, unknown>>): Promise<Uint8Array>;
}

/** The printer of a tab, for `GET /r/print`: there is none where nobody provides it. */
export const pagePrinterToken = token<PagePrinter>('vitrine.page-printer');
