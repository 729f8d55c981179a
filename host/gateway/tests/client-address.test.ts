import { describe, expect, it } from 'vitest';
import { addressShared, networkShared, sharesOf } from '../client-address.ts';

describe('the address that rates go by', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
    ['2001:db8:1:2::9', '2001:db8:1:2::'],
    ['fe80::1%eth0', 'fe80::'],
    ['10.0.0.1', '10.0.0.1'],
    ['whatever', 'unknown'],
    ['', 'unknown'],
    ['127.0.0.1', undefined],
    ['127.9.9.9', undefined],
    ['::1', undefined],
    ['::ffff:127.0.0.1', undefined],
  ])('[M4] of %j is %j', (ip, expected) => {
    expect(addressShared(ip, false)).toBe(expected);
    expect(addressShared(ip, true)).toBe(expected ?? 'loopback');
  });
});

it.each([
  ['203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::'],
  ['2001:db8:1:ffff::9', '2001:db8:1::'],
  ['2001:db8:2::9', '2001:db8:2::'],
  ['whatever', 'unknown'],
  ['::1', undefined],
])('the network that larger shares go by, of %j, is %j', (ip, expected) => {
  expect(networkShared(ip)).toBe(expected);
});

describe('the shares that a client takes from', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9', [['203.0.113.9', 1]]],
    [
      '2001:db8:1:2:3:4:5:6',
      '2001:db8:1:2::',
      [
        ['2001:db8:1:2::', 1],
        ['2001:db8:1::/48', 4],
      ],
    ],
    ['127.0.0.1', 'loopback', [['loopback', 1]]],
    ['::1', 'loopback', [['loopback', 1]]],
    ['whatever', 'unknown', [['unknown', 1]]],
  ])('[M4] are, of %j at %j, %j', (ip, address, shares) => {
    expect(sharesOf(ip, address)).toEqual(shares);
  });
});
