import { expect, it } from 'vitest';
import { FAILURE_TEXTS, failureOf } from '../failures.ts';
import { FAILURES } from '../protocol.ts';

it.each([
  ['net::ERR_NAME_NOT_RESOLVED', undefined, 'name-not-resolved'],
  ['net::ERR_CONNECTION_REFUSED', undefined, 'connection-refused'],
  ['net::ERR_CONNECTION_RESET', undefined, 'connection-reset'],
  ['net::ERR_TUNNEL_CONNECTION_FAILED', undefined, 'connection-reset'],
  ['net::ERR_EMPTY_RESPONSE', undefined, 'empty-response'],
  ['net::ERR_CONNECTION_TIMED_OUT', undefined, 'timeout'],
  ['net::ERR_CERT_DATE_INVALID', undefined, 'certificate'],
  ['net::ERR_SSL_PROTOCOL_ERROR', undefined, 'certificate'],
  ['net::ERR_INTERNET_DISCONNECTED', undefined, 'offline'],
  ['net::ERR_TOO_MANY_REDIRECTS', undefined, 'too-many-redirects'],
  ['net::ERR_UNKNOWN_URL_SCHEME', undefined, 'scheme'],
  ['vitrine:scheme-refused', undefined, 'scheme'],
  ['net::ERR_BLOCKED_BY_RESPONSE', undefined, 'blocked-content'],
  ['net::ERR_SOMETHING_NEW', undefined, 'other'],
  ['vitrine:crashed', undefined, 'other'],
  ['vitrine:no-page', undefined, 'no-page'],
  ['net::ERR_UNSAFE_PORT', undefined, 'port'],
  // The egress proxy's reason has priority: Chromium only sees a failed tunnel.
  ['net::ERR_TUNNEL_CONNECTION_FAILED', 'blocked-address', 'blocked-address'],
  ['net::ERR_TUNNEL_CONNECTION_FAILED', 'own-service', 'own-service'],
  ['net::ERR_TUNNEL_CONNECTION_FAILED', 'name-not-resolved', 'name-not-resolved'],
  ['net::ERR_TUNNEL_CONNECTION_FAILED', 'too-many-names', 'busy'],
  ['vitrine:egress', 'tls', 'certificate'],
  ['net::ERR_EMPTY_RESPONSE', 'an unknown reason', 'empty-response'],
])('calls %s with the reason %s %s', (errorText, reason, failure) => {
  expect(failureOf(errorText, reason)).toBe(failure);
});

it('has texts for every failure, and offers a retry unless it cannot help', () => {
  expect(Object.keys(FAILURE_TEXTS).sort()).toEqual([...FAILURES].sort());
  for (const failure of FAILURES) {
    expect(FAILURE_TEXTS[failure].title).not.toBe('');
    expect(FAILURE_TEXTS[failure].text).not.toBe('');
  }
  const final = FAILURES.filter((failure) => !FAILURE_TEXTS[failure].retry);
  expect(final).toEqual(['blocked-address', 'blocked-site', 'own-service', 'scheme', 'port']);
});
