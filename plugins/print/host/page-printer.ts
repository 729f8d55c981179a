import { token } from '../../../host/plugin.ts';

/** Makes PDFs of a tab's page. */
interface PagePrinter {
  /**
   * Prints the current page to PDF.
   *
   * @param options unvalidated, as in the request
   * @throws AppError `policy-refused`, `bad-message`, `print-busy` (retryable), `stream-too-large`, or as CdpBroker.stream.
   */
  print(options: Readonly<Record<string, unknown>>): Promise<Uint8Array>;
}

/** The printer of a tab. */
export const pagePrinterToken = token<PagePrinter>('print.page-printer');

/** Limits a person to one PDF at a time: each may have 64 MB. */
interface PrintTurn {
  /** Takes the turn. Returns a function that releases it. @throws AppError `print-busy`, retryable. */
  take(): () => void;
}

export const printTurnToken = token<PrintTurn>('print.turn');
