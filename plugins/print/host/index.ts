import { AppError, pageMarkToken, toAppError, validate } from '../../../host/plugin.ts';
import type { ActivateHost, HostScope } from '../../../host/plugin.ts';
import type { manifest } from '../manifest.ts';
import { optionsQuery } from '../options.ts';
import { personAsked, printAsked, printBegun, printOpen, printOver, unblockPrint } from '../protocol.ts';
import { disarm } from './disarm.ts';
import { pagePrinterToken } from './page-printer.ts';
import { pdfParams } from './pdf-params.ts';
import { Throttle } from './throttle.ts';

const MIB = 1024 * 1024;
const PDF_DEADLINE_MS = 60_000;
/** Timeout for notifying the page halves that PDFs will be made, in ms; a frame that hangs is printed anyway. */
const TELL_MS = 1000;
const MAIN_FRAME = 1;

/** Print request that the person has been asked about, until printing ends. */
interface Job {
  readonly id: number;
  /** The page that it was asked for has been left: there is nothing to print any more. */
  isLeft: boolean;
}

/** Has the person asked when the page wants to be printed, or they do, and makes the PDFs. One printing at a time. */
export const activate: ActivateHost<typeof manifest> = (scope) => {
  const { commands, frames, hooks, page, tab } = scope;
  const { gesture } = scope.input;
  const throttle = new Throttle();
  const printer = new Printer(scope);
  let job: Job | undefined;
  let last = 0;
  /** Number of pages that the tab has shown. */
  let pages = 0;

  const isAllowed = (): boolean => tab.policy().site_capabilities.print_enabled;
  const tellOver = (): void => {
    for (const { id } of frames.all()) page.send(id, printOver, undefined);
  };

  const open = (): void => {
    job = { id: ++last, isLeft: false };
    commands.send(printOpen, { id: job.id, allowed: isAllowed() });
  };

  page.handle(printAsked, (_nothing, frame) => {
    if (job) return; // it hears when that has ended
    if (!throttle.admit(gesture.isActive())) {
      page.send(frame.id, printOver, undefined);
      return;
    }
    open();
  });
  commands.handle(personAsked, () => {
    if (!job && throttle.admit(true)) open();
  });
  commands.handle(unblockPrint, ({ id }) => {
    if (job?.id !== id) return;
    job = undefined;
    throttle.closed();
    tellOver();
  });
  hooks.tap(tab.hooks.navigated, ({ frame, sameDocument }) => {
    if (frame !== MAIN_FRAME || sameDocument) return;
    pages += 1;
    if (job) job.isLeft = true;
  });
  hooks.tap(tab.hooks.clientAttached, ({ fresh }) => {
    if (fresh && job) commands.send(printOpen, { id: job.id, allowed: isAllowed() });
  });

  scope.services.provide(pagePrinterToken, {
    print: async (query) => {
      const options = validate(optionsQuery, query, 'print');
      const page = pages;
      const check = (): void => {
        if (!isAllowed()) throw new AppError('policy-refused', 'The policy does not allow to print this page.');
        if (job?.isLeft || pages !== page)
          throw new AppError('page-left', 'The page that was to be printed has been left.');
      };
      check();
      try {
        const pdf = await printer.print(options);
        check(); // it takes its time
        return pdf;
      } finally {
        if (!job) tellOver(); // asked for by something else than a dialog
      }
    },
  });
};

/** Makes one PDF at a time. */
class Printer {
  readonly #scope: HostScope<typeof manifest>;
  #isBusy = false;

  constructor(scope: HostScope<typeof manifest>) {
    this.#scope = scope;
  }

  #watermark(): string {
    const mark = this.#scope.services.find(pageMarkToken)?.printed() ?? '';
    return mark.replaceAll('{time}', () => new Date().toISOString());
  }

  /** @throws AppError `print-busy`, `print-failed`, and as CdpBroker.stream. */
  async print(options: Parameters<typeof pdfParams>[0]): Promise<Uint8Array> {
    if (this.#isBusy) throw new AppError('print-busy', 'The page is being printed.', { retryable: true });
    this.#isBusy = true;
    try {
      const { cdp, frames, page, records } = this.#scope;
      const calls = frames.all().map(async ({ id }) => {
        const begun = page.call(id, printBegun, undefined, { deadlineMs: TELL_MS });
        await begun.catch((thrown: unknown) => {
          // Its next document is awaited: it gets this before it is printed.
          if (toAppError(thrown).code === 'document-awaited') page.send(id, printBegun, undefined);
        });
      });
      await Promise.allSettled(calls);
      const pdf = await cdp.stream(0, 'Page.printToPDF', pdfParams(options, this.#watermark()), {
        maxBytes: this.#scope.options['max-document'] * MIB, // a hostile page may have any number of sheets
        deadlineMs: PDF_DEADLINE_MS,
      });
      if (Buffer.from(pdf.buffer, pdf.byteOffset, 5).toString('latin1') !== '%PDF-')
        throw new AppError('print-failed', 'The surrogate has made no PDF.');
      await disarm(pdf);
      records.count('documents');
      records.count('bytes', pdf.length);
      return pdf;
    } finally {
      this.#isBusy = false;
    }
  }
}
