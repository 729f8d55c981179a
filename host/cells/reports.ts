import type { Log } from '../../core/contracts/scope.ts';
import { validate } from '../../core/protocol/message.ts';
import { ByteAllowances } from '../base/byte-allowances.ts';
import { FlowMeter } from '../base/flow-meter.ts';
import type { LinkPeer } from '../link/api.ts';
import { recordsSchema } from '../declared/records-sent.ts';
import type { SentRecords } from '../declared/records-sent.ts';
import { faultSchema, logSchema, NOTICE_TO_GATEWAY } from './protocol.ts';

/** Notices with lines that a process may send in a second, and as many with faults: a flood of lines hides no fault. */
const MAX_NOTICES_PER_SECOND = 500;
/** Lines of these levels in a second, for each alone: others pass the host's log only where its operator looks for more. */
const MAX_LINES_PER_SECOND = 50;
const METERED = ['info', 'warn', 'error'] as const;
/** Bytes of such lines that the processes of one person may have logged: at once, and in an hour. */
const PERSON_LINES = { burst: 1024 * 1024, perHour: 4 * 1024 * 1024 };
/** Time between two lines that say so, in ms. */
const TELL_MS = 60_000;
/** Notices with records of plugins in a second: an honest process sends one, or a few where many plugins append events. */
const MAX_RECORDS_PER_SECOND = 20;

/** Receiver of what a process reports. */
export interface ReportListener {
  readonly onFault: (from: string, code: string) => void;
  readonly onRecords: (records: SentRecords) => void;
  /** Whether a line of so many bytes may be logged; by itself, a process has the share of one person. */
  readonly mayLog?: (bytes: number) => boolean;
  readonly log: Log;
}

/** The shares of people in the log of the host. Everything of nobody has one share. */
export function lineShares(): (subject: string | undefined, bytes: number) => boolean {
  const allowances = new ByteAllowances(PERSON_LINES);
  return (subject = '', bytes) => allowances.take(subject, bytes);
}

/** Takes up what a process logs, the faults that it reports, and what its plugins record. */
export function takeReports(peer: LinkPeer, listener: ReportListener): void {
  const { log, onFault, onRecords } = listener;
  const logLine = lineTaker(listener);
  const metered = (notice: string, take: (params: unknown) => void, perSecond = MAX_NOTICES_PER_SECOND): void => {
    const meter = new FlowMeter(perSecond, Number.MAX_SAFE_INTEGER);
    peer.on(notice, (params) => {
      if (meter.take(0)) take(params);
      else if (meter.isFirstRefusal) log.warn('notices of a cell are dropped for the rest of this second');
    });
  };
  metered(NOTICE_TO_GATEWAY.fault, (params) => {
    const { from, code } = validate(faultSchema, params, 'fault');
    onFault(from, code);
  });
  metered(NOTICE_TO_GATEWAY.log, (params) => logLine(validate(logSchema, params, 'log')));
  metered(
    NOTICE_TO_GATEWAY.records,
    (params) => onRecords(validate(recordsSchema, params, 'records')),
    MAX_RECORDS_PER_SECOND,
  );
}

interface Line {
  readonly level: keyof Log;
  readonly message: string;
  readonly data?: Record<string, unknown> | undefined;
}

/** Returns what logs the lines of a process, as many as it may. */
function lineTaker({ log, onFault, mayLog: given }: ReportListener): (line: Line) => void {
  const own = lineShares();
  const mayLog = given ?? ((bytes: number) => own(undefined, bytes));
  const meters = new Map<keyof Log, FlowMeter>(
    METERED.map((level) => [level, new FlowMeter(MAX_LINES_PER_SECOND, Number.MAX_SAFE_INTEGER)]),
  );
  let toldAt = -Infinity;
  return ({ level, message, data }) => {
    const meter = meters.get(level);
    if (meter && !meter.take(0)) {
      if (meter.isFirstRefusal) log.warn('notices of a cell are dropped for the rest of this second');
      return;
    }
    if (!meter || mayLog(Buffer.byteLength(message) + Buffer.byteLength(JSON.stringify(data ?? '')))) {
      log[level](message, data);
      return;
    }
    onFault('host', 'lines-dropped');
    if (performance.now() - toldAt < TELL_MS) return;
    toldAt = performance.now();
    log.warn('lines of a cell are dropped: those of its person are too many');
  };
}
