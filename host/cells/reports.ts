import type { Log } from '../../core/contracts/scope.ts';
import { validate } from '../../core/protocol/message.ts';
import { FlowMeter } from '../base/flow-meter.ts';
import type { LinkPeer } from '../link/api.ts';
import { recordsSchema } from '../declared/records-sent.ts';
import type { SentRecords } from '../declared/records-sent.ts';
import { faultSchema, logSchema, NOTICE_TO_GATEWAY } from './protocol.ts';

/** Lines that a process may log in a second, and as many faults that it may report: a flood of lines hides no fault. */
const MAX_NOTICES_PER_SECOND = 500;
/** Notices with records of plugins in a second: an honest process sends one, or a few where many plugins append events. */
const MAX_RECORDS_PER_SECOND = 20;

/** Receiver of what a process reports. */
export interface ReportListener {
  readonly onFault: (from: string, code: string) => void;
  readonly onRecords: (records: SentRecords) => void;
  readonly log: Log;
}

/** Takes up what a process logs, the faults that it reports, and what its plugins record. */
export function takeReports(peer: LinkPeer, { log, onFault, onRecords }: ReportListener): void {
  const metered = (notice: string, listener: (params: unknown) => void, perSecond = MAX_NOTICES_PER_SECOND): void => {
    const meter = new FlowMeter(perSecond, Number.MAX_SAFE_INTEGER);
    peer.on(notice, (params) => {
      if (meter.take(0)) listener(params);
      else if (meter.isFirstRefusal) log.warn('notices of a cell are dropped for the rest of this second');
    });
  };
  metered(NOTICE_TO_GATEWAY.fault, (params) => {
    const { from, code } = validate(faultSchema, params, 'fault');
    onFault(from, code);
  });
  metered(NOTICE_TO_GATEWAY.log, (params) => {
    const { level, message, data } = validate(logSchema, params, 'log');
    log[level](message, data);
  });
  metered(
    NOTICE_TO_GATEWAY.records,
    (params) => onRecords(validate(recordsSchema, params, 'records')),
    MAX_RECORDS_PER_SECOND,
  );
}
