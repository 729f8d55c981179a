import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';

/** Counters of the host for `/metrics`. */
export interface Metrics {
  readonly contentType: string;
  text(): Promise<string>;
  readonly requests: Counter<'route' | 'status'>;
  readonly channels: Gauge;
  readonly downstreamBytes: Counter;
  readonly channelRefusals: Pick<Counter<'code'>, 'get'>;
  /** Counts a channel or message that was refused before it reached a tab. Codes come from cells, too: only known ones have labels of their own. */
  channelRefused(code: string): void;
  readonly policyActions: Counter<'action' | 'outcome'>;
  /** Counts an event that a client has reported. */
  clientEvent(name: string): void;
  /**
   * Counts a refusal or failure. `from` is its source: a request, a client, a page, a plugin, the host's own; `code` is
   * the AppError's.
   */
  fault(from: string, code: string): void;
  /** Registers a counter. Returns what adds to it. */
  counter(name: string, help: string): (by: number) => void;
  /** Registers named values of other components, read on each request. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void;
}

/**
 * Names of client events and of page-half errors are untrusted: above this many names, others are counted as `other`.
 */
const MAX_NAMES = 200;

/** Codes with which channels are refused. */
const REFUSALS: ReadonlySet<string> = new Set([
  'bad-frame',
  'bad-message',
  'bad-sequence',
  'bodies-lost',
  'internal',
  'link-busy',
  'link-closed',
  'link-stalled',
  'link-timeout',
  'message-too-large',
  'poll-lost',
  'session-not-found',
]);

/** Creates the counters in a registry of their own. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const clientEvents = new Counter({
    name: 'vitrine_client_events_total',
    help: 'Events reported by clients',
    labelNames: ['event'],
    registers,
  });
  const faults = new Counter({
    name: 'vitrine_faults_total',
    help: 'Refusals and failures by source and code',
    labelNames: ['from', 'code'],
    registers,
  });
  const channelRefusals = new Counter({
    name: 'vitrine_channel_refusals_total',
    help: 'Channels and messages refused before they reached a tab',
    labelNames: ['code'],
    registers,
  });
  const eventNames = bounded(MAX_NAMES);
  /** By source, so that invented codes of one source do not use up the names of the others. */
  const codes = new Map<string, (name: string) => string>();
  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    requests: new Counter({
      name: 'vitrine_http_requests_total',
      help: 'Answered HTTP requests',
      labelNames: ['route', 'status'],
      registers,
    }),
    channels: new Gauge({ name: 'vitrine_channels', help: 'Open websockets', registers }),
    downstreamBytes: new Counter({
      name: 'vitrine_downstream_bytes_total',
      help: 'Bytes sent to clients over channels, before compression',
      registers,
    }),
    channelRefusals,
    channelRefused(code) {
      channelRefusals.inc({ code: REFUSALS.has(code) ? code : 'other' });
    },
    policyActions: new Counter({
      name: 'vitrine_policy_actions_total',
      help: 'Bypasses and exits from read-only requested by people',
      labelNames: ['action', 'outcome'],
      registers,
    }),
    clientEvent(name) {
      clientEvents.inc({ event: eventNames(name) });
    },
    fault(from, code) {
      const known = codes.get(from) ?? bounded(MAX_NAMES);
      codes.set(from, known);
      faults.inc({ from, code: known(code.slice(0, 100)) });
    },
    counter(name, help) {
      const counter = new Counter({ name, help, registers });
      return (by) => counter.inc(by);
    },
    gauge(name, help, read) {
      new Gauge({
        name,
        help,
        registers,
        async collect() {
          this.set(await read());
        },
      });
    },
  };
}

/** Passes the first `max` names through, and replaces all others by `other`. */
function bounded(max: number): (name: string) => string {
  const names = new Set<string>();
  return (name) => {
    if (names.size < max) names.add(name);
    return names.has(name) ? name : 'other';
  };
}
