import { ByteAllowances } from '../base/byte-allowances.ts';
import { metricName, recordedBy } from '../declared/recorded.ts';
import type { Recording } from '../declared/recorded.ts';
import type { SentEvent, SentRecords } from '../declared/records-sent.ts';
import { openEventLog } from './event-log.ts';
import type { EventLog } from './event-log.ts';
import type { Metrics } from './metrics.ts';

/** The person of a record, as the gateway knows them; undefined for a service half, which serves all. */
type RecordSubject = { readonly subject: string; readonly tenant: string } | undefined;

/** Counters and event files that plugins have declared. */
export interface PluginRecords {
  /** Takes up what a process has sent; what no manifest declares is reported as a fault. */
  take(records: SentRecords, subject: RecordSubject): void;
  /** Resolves when all events have been written. */
  flush(): Promise<void>;
}

interface PluginRecordsOptions {
  readonly manifests: readonly Recording[];
  readonly dataDir: string;
  readonly metrics: Pick<Metrics, 'counter' | 'gauge' | 'fault'>;
  /** Called when the disk fails. */
  readonly onDiskFault: (error: unknown) => void;
}

/**
 * Bytes that one person may have written to one file: at once, and in an hour. A file of 50 MiB outlasts 50 hours of one person, however
 * their cell or their client misbehaves.
 */
const PERSON_BYTES = { burst: 64 * 1024, perHour: 1024 * 1024 };
/** The same for a service half, which records for all people. */
const SERVICE_BYTES = { burst: 1024 * 1024, perHour: 16 * 1024 * 1024 };

/** Opens the counters and event files of plugins; a file is created with its first event. */
export function pluginRecords(options: PluginRecordsOptions): PluginRecords {
  const { manifests, metrics } = options;
  const counters = new Map<string, (by: number) => void>();
  for (const [plugin, declared] of recordedBy(manifests, 'metrics'))
    for (const [name, about] of Object.entries(declared))
      counters.set(`${plugin} ${name}`, metrics.counter(metricName(plugin, name), about));
  const files = new EventFiles(options);
  return {
    take({ counts, events, dropped }, subject) {
      for (const { plugin, name, by } of counts) {
        const counter = counters.get(`${plugin} ${name}`);
        if (counter) counter(by);
        else metrics.fault('plugin', 'not-declared');
      }
      for (const event of events) files.append(event, subject);
      for (const { count } of dropped) files.drop(count);
    },
    flush: () => files.flush(),
  };
}

class EventFiles {
  readonly #logs = new Map<string, EventLog>();
  readonly #metrics: PluginRecordsOptions['metrics'];
  readonly #people = new ByteAllowances(PERSON_BYTES);
  readonly #services = new ByteAllowances(SERVICE_BYTES);
  #dropped = 0;

  constructor({ manifests, dataDir, metrics, onDiskFault }: PluginRecordsOptions) {
    this.#metrics = metrics;
    for (const [plugin, declared] of recordedBy(manifests, 'eventFiles'))
      for (const name of Object.keys(declared))
        this.#logs.set(`${plugin} ${name}`, openEventLog(dataDir, `${plugin}.${name}`, onDiskFault));
    const sum = (of: (log: EventLog) => number): number =>
      [...this.#logs.values()].reduce((total, log) => total + of(log), 0);
    metrics.gauge(
      'vitrine_plugin_events_dropped',
      'Events of plugins that were not kept: too many, or the disk failed',
      () => this.#dropped + sum((log) => log.dropped),
    );
    metrics.gauge(
      'vitrine_plugin_event_files_removed',
      'Full event files of plugins that made room for newer ones',
      () => sum((log) => log.removed),
    );
  }

  append({ plugin, file, event: text }: SentEvent, subject: RecordSubject): void {
    const log = this.#logs.get(`${plugin} ${file}`);
    if (!log) {
      this.#metrics.fault('plugin', 'not-declared');
      return;
    }
    const event = parsed(text);
    if (event === undefined) {
      this.#metrics.fault('plugin', 'bad-message');
      return;
    }
    const person = subject && { person: subject.subject, tenant: subject.tenant };
    const line = { at: new Date().toISOString(), ...person, event };
    const allowances = subject ? this.#people : this.#services;
    const key = subject ? `${subject.subject} ${plugin} ${file}` : `${plugin} ${file}`;
    if (allowances.take(key, Buffer.byteLength(JSON.stringify(line)))) log.append(line);
    else this.drop(1);
  }

  drop(count: number): void {
    this.#dropped += count;
    this.#metrics.fault('plugin', 'events-dropped');
  }

  async flush(): Promise<void> {
    await Promise.all([...this.#logs.values()].map((log) => log.flush()));
  }
}

/** The object that a text is; undefined for anything else. */
function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
