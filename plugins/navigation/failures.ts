import type { Failure } from './protocol.ts';

/** What Chromium calls a failed load, by ours; the egress proxy's reason, when it has one, goes first. */
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
];

const BY_REASON: Readonly<Record<string, Failure>> = {
  'blocked-address': 'blocked-address',
  'blocked-site': 'blocked-site',
  'name-not-resolved': 'name-not-resolved',
  'connection-refused': 'connection-refused',
  'connection-reset': 'connection-reset',
  timeout: 'timeout',
  tls: 'certificate',
};

/** Says why a load failed, from the egress proxy's reason and Chromium's error text. */
export function failureOf(errorText: string, reason: string | undefined): Failure {
  const known = reason === undefined ? undefined : BY_REASON[reason];
  return known ?? BY_ERROR.find(([pattern]) => pattern.test(errorText))?.[1] ?? 'other';
}

/** What the person reads: a title, an explanation, and whether trying again can help. `{site}` stands for the host name. */
export const FAILURE_TEXTS: Readonly<
  Record<Failure, { readonly title: string; readonly text: string; readonly retry: boolean }>
> = {
  'blocked-address': {
    title: 'This address is not open to you',
    text: '{site} is a private address. Pages are opened on the host, which keeps its own network closed to them.',
    retry: false,
  },
  'blocked-site': {
    title: 'This site is blocked',
    text: 'Your organisation does not allow {site} to be opened.',
    retry: false,
  },
  'name-not-resolved': {
    title: 'This site cannot be found',
    text: 'There is no server by the name {site}. Check the address for a slip.',
    retry: true,
  },
  'connection-refused': {
    title: 'This site refuses to connect',
    text: '{site} is there, but does not answer at this address.',
    retry: true,
  },
  'connection-reset': {
    title: 'The connection was cut',
    text: '{site} ended the connection before the page had come.',
    retry: true,
  },
  'empty-response': {
    title: 'This site sent nothing',
    text: '{site} closed the connection without an answer.',
    retry: true,
  },
  timeout: { title: 'This site takes too long', text: '{site} has not answered in time.', retry: true },
  certificate: {
    title: 'This site cannot prove who it is',
    text: 'The certificate of {site} is not valid. Someone may be posing as it.',
    retry: true,
  },
  offline: {
    title: 'The host has no connection',
    text: 'The host that opens pages for you cannot reach the network now.',
    retry: true,
  },
  'too-many-redirects': {
    title: 'This site goes round in circles',
    text: '{site} has redirected too many times.',
    retry: true,
  },
  scheme: {
    title: 'This address cannot be opened',
    text: 'Only addresses that begin with http or https are opened.',
    retry: false,
  },
  'blocked-content': {
    title: 'This page was refused',
    text: '{site} does not allow this page to be shown here.',
    retry: true,
  },
  other: { title: 'This page cannot be shown', text: 'Opening {site} failed.', retry: true },
};
