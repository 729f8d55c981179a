import type { Log } from '../contracts/scope.ts';
import type { AppError } from '../protocol/errors.ts';

/** A client event as a plugin reported it. */
export interface ReportedEvent {
  readonly name: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly level: string;
}

/** One line that a half has logged. */
export interface LoggedLine {
  readonly level: keyof Log;
  readonly message: string;
  readonly data: Record<string, unknown> | undefined;
}

/** Events, log lines and faults of one plugin under test, and the functions that record them. */
export interface TestRecords {
  readonly events: readonly ReportedEvent[];
  readonly lines: readonly LoggedLine[];
  readonly faults: readonly AppError[];
  readonly report: (name: string, data?: ReportedEvent['data'], options?: { readonly level?: string }) => void;
  readonly log: Log;
  readonly onFault: (fault: AppError) => void;
}

/** Makes empty records. */
export function testRecords(): TestRecords {
  const events: ReportedEvent[] = [];
  const lines: LoggedLine[] = [];
  const faults: AppError[] = [];
  const at =
    (level: keyof Log) =>
    (message: string, data?: Record<string, unknown>): void => {
      lines.push({ level, message, data });
    };
  return {
    events,
    lines,
    faults,
    report: (name, data = {}, { level = 'info' } = {}) => void events.push({ name, data, level }),
    log: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') },
    onFault: (fault) => void faults.push(fault),
  };
}
