import type { Log } from '../../core/contracts/scope.ts';
import type { AppError } from '../../core/protocol/errors.ts';
import { FlowMeter } from './flow-meter.ts';

/** Maximum log lines a second that clients and pages may cause; further faults are only counted. */
const MAX_LINES_PER_SECOND = 20;

/** Logs faults that others cause, at a limited rate so that nobody can fill the log, and counts them. */
export class FaultLog {
  readonly #log: Log;
  readonly #meter = new FlowMeter(MAX_LINES_PER_SECOND, Number.MAX_SAFE_INTEGER);
  readonly #count: (from: string, code: string) => void;

  /** `count` is called for every fault that is reported: its source (`client`, `page`, `plugin`), and its code. */
  constructor(log: Log, count: (from: string, code: string) => void = () => undefined) {
    this.#log = log;
    this.#count = count;
  }

  report(fault: AppError, data: Readonly<Record<string, unknown>> & { readonly from: string }): void {
    this.#count(data.from, fault.code);
    this.line('warn', `${fault.code}: ${fault.message}`.slice(0, 500), {
      ...data,
      ...(fault.code === 'internal' ? { stack: (fault.cause as Error | undefined)?.stack ?? fault.stack } : {}),
    });
  }

  line(level: keyof Log, message: string, data: Readonly<Record<string, unknown>>): void {
    if (this.#meter.take(0)) this.#log[level](message, data);
    else if (this.#meter.isFirstRefusal) this.#log.warn('further messages in this second are not logged', data);
  }
}
