import type { Failure } from './protocol.ts';

/** Failures by Chromium's error text. The egress proxy's reason, if any, has priority. */
const BY_ERROR: readonly (readonly [RegExp, Failure])[] = [
  [/NAME_NOT_RESOLVED|NAME_RESOLUTION|DNS_/, 'name-not-resolved'],
  [/CONNECTION_REFUSED/, 'connection-refused'],
  [/EMPTY_RESPONSE/, 'empty-response'],
  [/CERT_|SSL_/, 'certificate'],
  [
    /CONNECTION_(RESET|CLOSED|ABORTED|FAILED)|SOCKET_NOT_CONNECTED|HTTP2_|PROTOCOL_ERROR|TUNNEL_CONNECTION_FAILED/,
    'connection-reset',
  ],
  [/TIMED_OUT/, 'timeout'],
  [/INTERNET_DISCONNECTED|ADDRESS_UNREACHABLE|NETWORK_CHANGED/, 'offline'],
  [/TOO_MANY_REDIRECTS/, 'too-many-redirects'],
  [/scheme-refused|UNKNOWN_URL_SCHEME|DISALLOWED_URL_SCHEME|UNSAFE_REDIRECT|INVALID_URL/, 'scheme'],
  [/BLOCKED_BY_/, 'blocked-content'],
  [/UNSAFE_PORT/, 'port'],
  [/no-page/, 'no-page'],
  [/FILE_NOT_FOUND/, 'gone'],
];

const BY_REASON: Readonly<Record<string, Failure>> = {
  'blocked-address': 'blocked-address',
  'blocked-site': 'blocked-site',
  'own-service': 'own-service',
  'name-not-resolved': 'name-not-resolved',
  'connection-refused': 'connection-refused',
  'connection-reset': 'connection-reset',
  timeout: 'timeout',
  'too-many-names': 'busy',
  'too-many-connections': 'busy',
  tls: 'certificate',
};

/** Returns the failure for the egress proxy's reason and Chromium's error text. */
export function failureOf(errorText: string, reason: string | undefined): Failure {
  if (reason?.startsWith('budget-') === true) return 'stopped';
  const known = reason === undefined ? undefined : BY_REASON[reason];
  return known ?? BY_ERROR.find(([pattern]) => pattern.test(errorText))?.[1] ?? 'other';
}

/** Budgets that have texts of their own (`navigation.stopped.*`). */
const BUDGETS: readonly string[] = ['sanitizing', 'messages', 'fonts', 'pictures', 'names', 'requests', 'disk'];

/** Returns the budget for which a page was stopped, by the detail of the failure; `machine` where it is none with a text of its own. */
export function stoppedBy(detail: string): string {
  const [, budget = ''] = /\(budget-([a-z]{1,20})\)/.exec(detail) ?? [];
  return BUDGETS.includes(budget) ? budget : 'machine';
}

/** Failures for which another try cannot help. */
const FINAL: readonly Failure[] = ['blocked-address', 'blocked-site', 'own-service', 'scheme', 'port'];

/** Whether another try can help. */
export function mayRetry(failure: Failure): boolean {
  return !FINAL.includes(failure);
}
