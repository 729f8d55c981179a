import { expect, it } from 'vitest';
import { texts as ar } from '../client/messages/failures-ar.ts';
import { texts as de } from '../client/messages/failures-de.ts';
import { texts as en } from '../client/messages/failures-en.ts';
import { failureOf, mayRetry, stoppedBy } from '../failures.ts';
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

const CATALOGUES = { en, de, ar };

it.each(['en', 'de', 'ar'] as const)('has texts for every failure in %s', (language) => {
  const texts: Readonly<Record<string, string>> = CATALOGUES[language];
  expect(Object.keys(texts)).toEqual(Object.keys(en));
  for (const failure of FAILURES) {
    expect(texts[`navigation.${failure}.title`]).toBeTruthy();
    const text = texts[`navigation.${failure}.text`];
    expect(text).toBeTruthy();
    const english: Readonly<Record<string, string>> = en;
    expect(text?.match(/\{\w+\}/g)?.sort(), failure).toEqual(
      english[`navigation.${failure}.text`]?.match(/\{\w+\}/g)?.sort(),
    );
  }
});

it('names the budget for which a page was stopped, where it has a text', () => {
  expect(stoppedBy('too much (budget-pictures)')).toBe('pictures');
  for (const detail of ['', 'budget-pictures', '(budget-none)']) expect(stoppedBy(detail)).toBe('machine');
  const texts: Readonly<Record<string, string>> = en;
  const budgets = Object.keys(texts).flatMap((id) => /^navigation\.stopped\.(?!title|text)(.+)$/.exec(id)?.[1] ?? []);
  for (const budget of budgets) expect(stoppedBy(`(budget-${budget})`)).toBe(budget);
});

it('offers another try unless it cannot help', () => {
  const final = FAILURES.filter((failure) => !mayRetry(failure));
  expect(final).toEqual(['blocked-address', 'blocked-site', 'own-service', 'scheme', 'port']);
});
