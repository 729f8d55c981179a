import { describe, expect, it } from 'vitest';
import { isExposed, ownOrigin, parseListenAddress, parseProxy } from '../base/exposure.ts';
import { parseOptions } from '../compose/options.ts';

describe('where a host is reached from', () => {
  it.each([
    [[]],
    [['--host', 'localhost']],
    [['--host', '::1']],
    [['--host', '127.0.0.2']],
    [['--origin', 'https://localhost:8443']],
    [['--origin', 'http://vitrine.localhost']],
    [['--inspect-origin', 'http://127.0.0.1:7700']],
    [['--inspect-origin', 'http://[::1]:7700']],
  ])('[M4] is this machine alone with %j', (argv) => {
    expect(isExposed(parseOptions(argv, {}))).toBe(false);
  });

  it.each([
    [['--host', '0.0.0.0']],
    [['--host', '::']],
    [['--host', '10.0.0.1']],
    [['--host', 'intranet']],
    [['--host', 'localhost.evil.example']],
    [['--origin', 'https://vitrine.example']],
    [['--origin', 'http://localhost', '--origin', 'http://10.0.0.1']],
    [['--inspect-origin', 'https://inspect.example']],
    [['--cluster-origin', 'https://cluster.example']],
  ])('[M4] is other machines too with %j', (argv) => {
    expect(isExposed(parseOptions(argv, {}))).toBe(true);
  });

  it('[M4] is named in the link by its origin, or by an address of the machine', () => {
    const at = (host: string, origins: readonly string[] = []) => ownOrigin({ host, origins }, 'http', 7700);
    expect(at('127.0.0.1', ['https://vitrine.example'])).toBe('https://vitrine.example');
    expect(at('10.0.0.1', ['http://localhost:7700'])).toBe('http://10.0.0.1:7700');
    expect(at('fd00::1')).toBe('http://[fd00::1]:7700');
    expect(at('0.0.0.0')).toMatch(/^http:\/\/(?!0\.0\.0\.0)[\w.[\]:]+:7700$/);
  });
});

describe('options of who may use a host', () => {
  it('are off unless asked for', () => {
    expect(parseOptions([], {})).toMatchObject({ allowAnonymous: false, trustedProxies: [], metrics: undefined });
    const argv = [
      '--allow-anonymous',
      '--trusted-proxy',
      '10.0.0.0/8',
      '--trusted-proxy',
      '::1',
      '--metrics',
      '[::1]:9464',
    ];
    expect(parseOptions(argv, {})).toMatchObject({
      allowAnonymous: true,
      trustedProxies: ['10.0.0.0/8', '::1'],
      metrics: { host: '::1', port: 9464 },
    });
  });

  it.each([
    [['--metrics', '9464'], /--metrics: "9464" is no ADDRESS:PORT/],
    [['--metrics', 'localhost:99999'], /--metrics/],
    [['--metrics', '::1:9464'], /--metrics/],
    [['--trusted-proxy', 'proxy.example'], /--trusted-proxy: "proxy\.example" is no address or CIDR/],
    [['--trusted-proxy', '10.0.0.0/99'], /--trusted-proxy/],
  ])('are refused with their name: %j', (argv, message) => {
    expect(() => parseOptions(argv, {})).toThrow(message);
  });

  it.each(['127.0.0.1:0', 'localhost:9464', '0.0.0.0:1'])('take %s', (text) => {
    expect(`${parseListenAddress(text).host}:${parseListenAddress(text).port}`).toBe(text);
    expect(parseProxy('fd00::/8')).toBe('fd00::/8');
  });
});
