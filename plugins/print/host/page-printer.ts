import { token } from '../../../host/plugin.ts';

/** Makes PDFs of a tab's page. */
interface PagePrinter {
  /**
   * The page as it is now, on paper.
   *
   * @param options as they came with the request, unchecked
   * @throws AppError `policy-refused`, `bad-message`, `print-busy` (retryable), `stream-too-large`, or as CdpBroker.stream.
   */
  print(options: Readonly<Record<string, unknown>>): Promise<Uint8Array>;
}

/** The printer of a tab. */
export const pagePrinterToken = token<PagePrinter>('print.page-printer');

/** Lets a person have one PDF made at a time: each may be of 64 MB. */
interface PrintTurn {
  /** Takes the turn; answers with what gives it back. @throws AppError `print-busy`, retryable. */
  take(): () => void;
}

export const printTurnToken = token<PrintTurn>('print.turn');
