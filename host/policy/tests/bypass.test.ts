import { expect, it } from 'vitest';
import { bypassTokens } from '../bypass.ts';

const MINUTE_MS = 60_000;
const secret = new Uint8Array(32).fill(1);
let now = 1_000_000;
const tokens = bypassTokens(secret, () => now);
const issued = (subject = 'anna', domain = 'site.example'): string => tokens.issue(subject, domain);
const isValid = (token: string): boolean => tokens.isValid(token, 'anna', 'site.example');

it('[M-027] a bypass holds for its person and its site, for twenty minutes', () => {
  now = 1_000_000;
  const token = issued();
  expect(isValid(token)).toBe(true);
  expect(tokens.isValid(token, 'ben', 'site.example')).toBe(false);
  expect(tokens.isValid(token, 'anna', 'other.example')).toBe(false);
  now += 20 * MINUTE_MS - 1;
  expect(isValid(token)).toBe(true);
  now += 1;
  expect(isValid(token)).toBe(false);
});

it('a bypass holds for the pair that it was issued for, wherever one name ends and the other begins', () => {
  now = 1_000_000;
  const token = issued('anna', 'site.example');
  for (const [subject, domain] of [
    ['annas', 'ite.example'],
    ['anna","site', 'example'],
    ['', 'annasite.example'],
  ] as const)
    expect(tokens.isValid(token, subject, domain)).toBe(false);
});

it('a bypass is refused whose end, signature or secret is another, and one that is only part of a word', () => {
  now = 1_000_000;
  const token = issued();
  const [until = '', signature = ''] = token.split('.');
  const later = String(Number(until) + MINUTE_MS);
  const other = bypassTokens(new Uint8Array(32).fill(2), () => now).issue('anna', 'site.example');
  const wrong = [
    '',
    until,
    `${until}.`,
    `.${signature}`,
    `${later}.${signature}`,
    `${until}.${'A'.repeat(43)}`,
    `${until}.${signature.slice(1)}`,
    `x${token}`,
    `x ${token}`,
    `${token}x`,
    `${token}-`,
    token.replace('.', ','),
    `${'9'.repeat(16)}.${signature}`,
    other,
  ];
  for (const each of wrong) expect(isValid(each), each).toBe(false);
  // The cookie has the address of the site behind it.
  for (const end of [';https://site.example/', ' ', '.', '%3B']) expect(isValid(token + end), end).toBe(true);
});
