import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { isReloading, OWN_OPTIONS, parseOptions, pluginFolders, reloadOptions, usage } from '../compose/options.ts';
import { PAGE_BUDGETS } from '../base/page-budgets.ts';
import { declaredOptions } from '../declared/options.ts';

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
    expect(parseOptions([], {}).warmCells).toBe(1);
    expect(parseOptions(['--warm-cells', '0'], {}).warmCells).toBe(0);
  });

  it('[M3] takes limits of cells and browsers, and budgets of pages', () => {
    expect(parseOptions([], {})).toMatchObject({ limits: {}, pageBudgets: PAGE_BUDGETS });
    const argv = ['--cell-memory', '512', '--cell-cpu', '150', '--cell-names', '7', '--page-budget', 'names=5/10'];
    const environment = {
      VITRINE_PROFILE_SIZE: '300',
      VITRINE_BROWSER_MEMORY: '900',
      VITRINE_BROWSER_PROCESSES: '99',
      VITRINE_CELL_CONNECTIONS: '8',
    };
    const { limits, pageBudgets } = parseOptions(argv, environment);
    const MIB = 1024 * 1024;
    expect(limits).toEqual({
      cellMemoryBytes: 512 * MIB,
      browserMemoryBytes: 900 * MIB,
      browserTasks: 99,
      cpuPercent: 150,
      profileBytes: 300 * MIB,
      cellConnections: 8,
      cellNames: 7,
    });
    expect(pageBudgets).toEqual({ ...PAGE_BUDGETS, names: { soft: 5, hard: 10 } });
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
    [['--warm-cells', 'all'], /--warm-cells/],
    [['--profile-size', '0'], /--profile-size/],
    [['--cell-memory', '1g'], /--cell-memory/],
    [['--page-budget', 'names=9'], /--page-budget/],
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
      'warm-cells',
      'cell-memory',
      'browser-memory',
      'browser-processes',
      'cell-cpu',
      'profile-size',
      'page-budget',
      'plugins',
      'allow-network',
      'log-level',
    ])
      expect(usage()).toContain(`--${name}`);
  });
});

describe('options of plugins', () => {
  const declared = declaredOptions(
    [
      {
        id: 'print',
        options: {
          max: { kind: 'number', unit: 'MIB', min: 1, max: 9, fallback: 4, about: 'largest document' },
          loud: { kind: 'switch', about: 'says so' },
        },
      },
      { id: 'mail', options: { server: { kind: 'text', value: 'URL', fallback: '', about: 'where mail goes' } } },
    ],
    OWN_OPTIONS,
  );

  it('come from the command line, then the environment, then the manifest', () => {
    expect(parseOptions([], {}, declared).ofPlugins).toEqual({
      print: { max: 4, loud: false },
      mail: { server: '' },
    });
    const environment = { VITRINE_PRINT_MAX: '5', VITRINE_PRINT_LOUD: 'yes', VITRINE_MAIL_SERVER: 'smtp:' };
    expect(parseOptions(['--print-max', '6'], environment, declared).ofPlugins).toEqual({
      print: { max: 6, loud: true },
      mail: { server: 'smtp:' },
    });
    expect(() => parseOptions(['--print-max', '60'], {}, declared)).toThrow(/--print-max: "60" is not valid/);
    expect(() => parseOptions(['--print-min', '6'], {}, declared)).toThrow(/print-min/);
  });

  it('stand in the help', () => {
    expect(usage(declared)).toMatch(/--print-max MIB +largest document \(4\)\n +--print-loud +says so\n/);
  });

  it('are known only once the folders of plugins are: these are read first', () => {
    const argv = ['--print-max', '6', '--plugins', '/a', '--nonsense', '--plugins=/b', '-h'];
    expect(pluginFolders(argv, {})).toEqual(['/a', '/b']);
    expect(pluginFolders(['--plugins'], {})).toEqual([]);
    expect(pluginFolders([], { VITRINE_PLUGINS: '/c, /d' })).toEqual(['/c', '/d']);
  });
});

describe('paths', () => {
  it('are relative to where npm was called; the data folder is in the checkout unless named', () => {
    const environment = { INIT_CWD: '/srv/a' };
    expect(parseOptions(['--data', 'x', '--plugins', 'y'], environment)).toMatchObject({
      data: '/srv/a/x',
      plugins: ['/srv/a/y'],
    });
    expect(parseOptions([], environment).data).toBe(path.resolve(import.meta.dirname, '../../.vitrine'));
  });
});

describe('the parent of a host that is started again', () => {
  it('goes by the folders and the port alone: the host reports the rest', () => {
    expect(reloadOptions(['--reload', '--port', '80', '--print-max', 'x', '--plugins', '/a'], {})).toEqual({
      port: 80,
      folders: ['/a'],
    });
    expect(reloadOptions(['--port', 'x'], { VITRINE_PLUGINS: '/b' })).toEqual({ port: 7700, folders: ['/b'] });
    const asked = [['--reload'], ['--reload', '--help'], ['--port', '80']].map((argv) => isReloading(argv, {}));
    expect([...asked, isReloading([], { VITRINE_RELOAD: 'yes' })]).toEqual([true, false, false, true]);
  });
});
