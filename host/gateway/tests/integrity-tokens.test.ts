import { beforeEach, describe, expect, it } from 'vitest';
import { integrityTokens } from '../integrity-tokens.ts';
import type { IntegrityTokens } from '../integrity-tokens.ts';

const SECRET = new Uint8Array(32);

describe('integrity tokens', () => {
  let now = 0;
  let tokens: IntegrityTokens;
  const others = integrityTokens(new Uint8Array(32).fill(1), () => now);
  beforeEach(() => {
    now = 1_000_000;
    tokens = integrityTokens(SECRET, () => now);
  });

  it('identify the person of a blob, for ten minutes', () => {
    const blob = tokens.blob('anna');
    expect(tokens.ownerOf(blob)).toBe('anna');
    expect(tokens.ownerOf(blob.replace('anna', 'ben'))).toBeUndefined();
    expect(tokens.ownerOf(others.blob('anna'))).toBeUndefined();
    for (const none of ['', 'x', 'a.1.b', `${blob}x`, `!${blob}`, `x.${blob}`])
      expect(tokens.ownerOf(none)).toBeUndefined();
    now += 600_000;
    expect(tokens.ownerOf(blob)).toBeUndefined();
  });

  it('are valid once, for one host, for a minute', () => {
    const make = () => tokens.token('anna', 'inspect.test');
    const token = make();
    expect(tokens.redeem(token, 'other.test')).toBeUndefined();
    expect(tokens.redeem({ ...token, tok_s: 'x' }, 'inspect.test')).toBeUndefined();
    expect(tokens.redeem(token, 'inspect.test')).toBe('anna');
    expect(tokens.redeem(token, 'inspect.test')).toBeUndefined();
    const late = make();
    now += 60_000;
    expect(tokens.redeem(late, 'inspect.test')).toBeUndefined();
    expect(tokens.redeem({ itok: tokens.blob('anna'), tok_s: '' }, 'inspect.test')).toBeUndefined();
  });

  it('are redeemed 10,000 times in a minute at most', () => {
    const redeem = () => tokens.redeem(tokens.token('anna', 'inspect.test'), 'inspect.test');
    for (let count = 0; count < 9999; count += 1) redeem();
    expect(redeem()).toBe('anna');
    expect(redeem()).toBeUndefined();
    now += 59_999;
    expect(redeem()).toBeUndefined();
    now += 1;
    expect(redeem()).toBe('anna');
  });
});
