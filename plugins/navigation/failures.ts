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

/** Reasons why a page was stopped, by the budget in the detail of the failure. */
const STOPPED: Readonly<Record<string, string>> = {
  sanitizing: 'changed its content faster than it can be shown',
  messages: 'produced more data than can be handled',
  fonts: 'loaded too much data of fonts',
  pictures: 'loaded too much data of pictures',
  names: 'connected to too many servers',
  requests: 'kept too many requests open',
  disk: 'or another of your pages stored too much data',
};

/** Returns the words for the reason why a page was stopped, by the detail of the failure. */
export function stoppedBecause(detail: string): string {
  return STOPPED[/\(budget-([a-z]{1,20})\)/.exec(detail)?.[1] ?? ''] ?? 'needed too much of the machine';
}

/**
 * Texts for the person: a title, an explanation, and whether a retry can help. `{site}` is replaced by the host name, `{stopped}` by the
 * result of {@link stoppedBecause}.
 */
export const FAILURE_TEXTS: Readonly<
  Record<Failure, { readonly title: string; readonly text: string; readonly retry: boolean }>
> = {
  'blocked-address': {
    title: 'This address is not available',
    text: '{site} is a private address. The host that opens pages does not allow access to its own network.',
    retry: false,
  },
  'blocked-site': {
    title: 'This site is blocked',
    text: 'Your organisation does not allow {site} to be opened.',
    retry: false,
  },
  'own-service': {
    title: 'This is the isolation service itself',
    text: '{site} is the address of the service that opens pages for you. It cannot be opened in itself.',
    retry: false,
  },
  'name-not-resolved': {
    title: 'This site cannot be found',
    text: 'There is no server with the name {site}. Check the address for typos.',
    retry: true,
  },
  'connection-refused': {
    title: 'This site refuses to connect',
    text: '{site} exists, but does not accept connections at this address.',
    retry: true,
  },
  'connection-reset': {
    title: 'The connection was closed',
    text: '{site} closed the connection before the page was loaded.',
    retry: true,
  },
  'empty-response': {
    title: 'This site sent nothing',
    text: '{site} closed the connection without a response.',
    retry: true,
  },
  timeout: { title: 'This site takes too long', text: '{site} did not respond in time.', retry: true },
  certificate: {
    title: 'This site cannot prove its identity',
    text: 'The certificate of {site} is not valid. Someone may be impersonating it.',
    retry: true,
  },
  offline: {
    title: 'The host has no connection',
    text: 'The host that opens pages for you currently has no network connection.',
    retry: true,
  },
  'too-many-redirects': {
    title: 'This site redirects in a loop',
    text: '{site} has redirected too many times.',
    retry: true,
  },
  scheme: {
    title: 'This address cannot be opened',
    text: 'Only addresses that start with http or https can be opened.',
    retry: false,
  },
  'blocked-content': {
    title: 'This page was refused',
    text: '{site} does not allow this page to be shown here.',
    retry: true,
  },
  stopped: {
    title: 'This page was stopped',
    text: '{site} {stopped}.',
    retry: true,
  },
  busy: {
    title: 'Too many connections',
    text: 'Your pages connect to too many servers now. Close some, or try again in a minute.',
    retry: true,
  },
  port: {
    title: 'This address cannot be opened',
    text: 'Browsers do not use the port of {site}: it belongs to services that are not of the web.',
    retry: false,
  },
  'no-page': {
    title: 'There is no page here',
    text: '{site} has answered with a file, or without content.',
    retry: true,
  },
  other: { title: 'This page cannot be shown', text: 'Opening {site} failed.', retry: true },
};
