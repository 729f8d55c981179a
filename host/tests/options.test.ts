import { describe, expect, it } from 'vitest';
import { parseOptions, usage } from '../options.ts';

describe('options', () => {
  it('listens on loopback at port 7700 unless told otherwise', () => {
    expect(parseOptions([], {})).toMatchObject({
      port: 7700,
      host: '127.0.0.1',
      allowNetworks: [],
      allowPrivateNetworks: false,
    });
  });

  it('reads the command line before the environment', () => {
    const environment = {
      VITRINE_PORT: '1',
      VITRINE_ALLOW_NETWORK: '10.0.0.0/8, intranet:443',
      VITRINE_ALLOW_PRIVATE_NETWORKS: 'true',
    };
    expect(parseOptions(['--port', '2'], environment)).toMatchObject({
      port: 2,
      allowNetworks: ['10.0.0.0/8', 'intranet:443'],
      allowPrivateNetworks: true,
    });
  });

  it('takes a range of user ids for cells', () => {
    expect(parseOptions([], { VITRINE_CELL_UIDS: '70000-70099' }).cellUids).toEqual({ first: 70_000, last: 70_099 });
  });

  it('takes a number of cells', () => {
    expect(parseOptions([], {}).maxCells).toBe(50);
    expect(parseOptions(['--max-cells', '3'], {}).maxCells).toBe(3);
  });

  it.each([
    [['--port', 'x'], /--port/],
    [['--port', '70000'], /--port/],
    [['--nonsense'], /nonsense/],
    [['--origin', 'vitrine.example'], /--origin/],
    [['--origin', 'https://vitrine.example/path'], /--origin/],
    [['--tls-cert', 'a.pem'], /tls-key/],
    [['--log-level', 'loud'], /--log-level/],
    [['--cell-uids', '0-10'], /--cell-uids/],
    [['--max-cells', '0'], /--max-cells/],
  ])('refuses %j with its name', (argv, message) => {
    expect(() => parseOptions(argv, {})).toThrow(message);
  });

  it('explains every option', () => {
    for (const name of [
      'port',
      'host',
      'tls-cert',
      'policy',
      'data',
      'chromium',
      'cell-uids',
      'max-cells',
      'plugins',
      'allow-network',
      'log-level',
    ])
      expect(usage()).toContain(`--${name}`);
  });
});
