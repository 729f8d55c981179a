import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import { classify, hostText, parseHost } from '../address.ts';
import { parseAllowedNetworks } from '../allowed-networks.ts';

function classOf(host: string): string {
  const parsed = parseHost(host);
  return parsed?.kind === 'address' ? classify(parsed.address) : String(parsed?.kind);
}

describe('addresses', () => {
  it.each([
    ['127.0.0.1', 'private'],
    ['127.255.255.254', 'private'],
    ['2130706433', 'private'],
    ['0x7f000001', 'private'],
    ['0x7f.1', 'private'],
    ['0177.0.0.1', 'private'],
    ['127.1', 'private'],
    ['127.0.0.1.', 'private'],
    ['１２７.0.0.1', 'private'],
    ['0.0.0.0', 'reserved'],
    ['0', 'reserved'],
    ['0.1.2.3', 'reserved'],
    ['10.0.0.1', 'private'],
    ['167772161', 'private'],
    ['172.16.0.1', 'private'],
    ['172.31.255.255', 'private'],
    ['172.32.0.1', 'public'],
    ['192.168.1.1', 'private'],
    ['169.254.1.1', 'private'],
    ['169.254.169.254', 'reserved'],
    ['0xa9fea9fe', 'reserved'],
    ['100.64.0.1', 'private'],
    ['100.127.255.255', 'private'],
    ['100.128.0.1', 'public'],
    ['100.100.100.200', 'reserved'],
    ['192.0.0.1', 'reserved'],
    ['192.0.2.1', 'reserved'],
    ['198.18.0.1', 'reserved'],
    ['198.51.100.1', 'reserved'],
    ['203.0.113.1', 'reserved'],
    ['224.0.0.1', 'reserved'],
    ['239.255.255.255', 'reserved'],
    ['240.0.0.1', 'reserved'],
    ['255.255.255.255', 'reserved'],
    ['8.8.8.8', 'public'],
    ['1.1.1.1', 'public'],
    ['[::1]', 'private'],
    ['::1', 'private'],
    ['[::]', 'reserved'],
    ['[::ffff:127.0.0.1]', 'private'],
    ['[::ffff:7f00:1]', 'private'],
    ['[::ffff:8.8.8.8]', 'public'],
    ['[::ffff:169.254.169.254]', 'reserved'],
    ['[::127.0.0.1]', 'reserved'],
    ['[64:ff9b::7f00:1]', 'private'],
    ['[64:ff9b::10.0.0.1]', 'private'],
    ['[64:ff9b::8.8.8.8]', 'public'],
    ['[64:ff9b:1::8.8.8.8]', 'reserved'],
    ['[2002:7f00:1::]', 'reserved'],
    ['[2002:808:808::1]', 'reserved'],
    ['[2001::1]', 'reserved'],
    ['[fc00::1]', 'private'],
    ['[fd12:3456::1]', 'private'],
    ['[fd00:ec2::254]', 'reserved'],
    ['[fe80::1]', 'private'],
    ['[fec0::1]', 'private'],
    ['[ff02::1]', 'reserved'],
    ['[2001:db8::1]', 'reserved'],
    ['[100::1]', 'reserved'],
    ['[4000::1]', 'reserved'],
    ['[2606:4700::1111]', 'public'],
  ])('%s is %s', (host, expected) => {
    expect(classOf(host)).toBe(expected);
  });

  it('counts the addresses of this machine as private', () => {
    const own = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
    for (const { address } of own) expect(classOf(address)).toBe('private');
  });

  it.each(['', '.', 'a b', 'a/b', 'user@host', 'a#b', '[::1', '1.2.3.4.5', '256.1.1.1', '[fe80::1%25eth0]', 'a%00b'])(
    '%j is not a host',
    (host) => {
      expect(parseHost(host)).toBeUndefined();
    },
  );

  it('normalises the spelling of a host', () => {
    expect(hostText('Example.COM.')).toBe('example.com');
    expect(hostText('bücher.example')).toBe('xn--bcher-kva.example');
    expect(hostText('[::FFFF:7f00:1]')).toBe('127.0.0.1');
  });

  it.each(['evil.example..', 'evil.example...', 'evil..example', '.evil.example', 'evil.example。。', '..'])(
    'refuses empty labels: %s',
    (host) => {
      expect(parseHost(host)).toBeUndefined();
      expect(hostText(host)).toBeUndefined();
    },
  );
});

describe('allowed networks', () => {
  const address = (host: string) => {
    const parsed = parseHost(host);
    if (parsed?.kind !== 'address') throw new Error(host);
    return parsed.address;
  };

  it('matches a port exactly', () => {
    const allowed = parseAllowedNetworks(['127.0.0.1:8080', '[::1]:9090', 'Intranet.example:443']);
    expect(allowed.allowsAddress(address('127.0.0.1'), 8080)).toBe(true);
    expect(allowed.allowsAddress(address('::ffff:127.0.0.1'), 8080)).toBe(true);
    expect(allowed.allowsAddress(address('127.0.0.1'), 80)).toBe(false);
    expect(allowed.allowsAddress(address('127.0.0.2'), 8080)).toBe(false);
    expect(allowed.allowsAddress(address('::1'), 9090)).toBe(true);
    expect(allowed.allowsAddress(address('::1'), 8080)).toBe(false);
    expect(allowed.allowsName('intranet.example', 443)).toBe(true);
    expect(allowed.allowsName('intranet.example', 80)).toBe(false);
    expect(allowed.allowsName('www.intranet.example', 443)).toBe(false);
  });

  it('matches all ports of a host without port, and prefixes of both families', () => {
    const allowed = parseAllowedNetworks(['localhost', '::1', '10.1.0.0/16', 'fd00::/8', '::ffff:192.168.0.0/112']);
    expect(allowed.allowsName('localhost', 1)).toBe(true);
    expect(allowed.allowsAddress(address('::1'), 65535)).toBe(true);
    expect(allowed.allowsAddress(address('10.1.255.1'), 22)).toBe(true);
    expect(allowed.allowsAddress(address('10.2.0.1'), 22)).toBe(false);
    expect(allowed.allowsAddress(address('fd12::1'), 22)).toBe(true);
    expect(allowed.allowsAddress(address('192.168.9.9'), 22)).toBe(true);
    expect(allowed.allowsAddress(address('192.169.9.9'), 22)).toBe(false);
  });

  it.each(['', ':80', 'host:0', 'host:65536', 'host:x', '10.0.0.0/33', 'http://host/', 'a b'])(
    'refuses %j',
    (entry) => {
      expect(() => parseAllowedNetworks([entry])).toThrow(expect.objectContaining({ code: 'network-invalid' }));
    },
  );
});
