import type { Log } from '../../core/contracts/scope.ts';
import { toAppError } from '../../core/protocol/errors.ts';
import { FaultLog } from '../base/fault-log.ts';

/** Codes of messages that only a hostile page's process sends. */
const FROM_PAGES: readonly string[] = ['cdp-malformed', 'cdp-forged'];

/** Logs faults of a connection to a browser, at a limited rate: a page's process may cause any number of them. */
export function cdpFaults(log: Log): (thrown: unknown) => void {
  const faults = new FaultLog(log);
  return (thrown) => {
    const fault = toAppError(thrown);
    if (FROM_PAGES.includes(fault.code)) faults.report(fault, { from: 'page' });
    else faults.line('error', 'surrogate listener failed', { error: String(thrown).slice(0, 500) });
  };
}
