import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { isReloading, OWN_OPTIONS, parseOptions, pluginFolders, reloadOptions, usage } from '../compose/options.ts';
import { defaultRoom, thisMachine } from '../base/room.ts';
import { DEFAULT_UIDS } from '../cells/uid-range.ts';
import { readOptions } from '../compose/read-options.ts';
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

  it('takes a number of cells, and times for what nobody uses', () => {
    const { room } = parseOptions(['--max-cells', '3', '--warm-cells', '0', '--leave-time', '7'], {
      VITRINE_SLEEP_TIME: '9',
      VITRINE_IDLE_TIME: '11',
      VITRINE_FREEZE_TIME: '13',
      VITRINE_MAKE_ROOM_TIME: '15',
      VITRINE_MEMORY_RESERVE: '17',
    });
    expect(room).toEqual({
      maxCells: 3,
      warmCells: 0,
      leaveMs: 7000,
      sleepMs: 9000,
      idleMs: 11_000,
      freezeMs: 13_000,
      goneMs: 15_000,
      reserveBytes: 17 * 1024 * 1024,
    });
    const usual = defaultRoom(thisMachine(DEFAULT_UIDS.last - DEFAULT_UIDS.first + 1));
    if (process.getuid?.() === 0) expect(parseOptions([], {}).room).toEqual(usual);
    expect(parseOptions([], {}).room.maxCells).toBeGreaterThanOrEqual(2);
    for (const wrong of [
      ['--max-cells', '0'],
      ['--warm-cells', 'x'],
      ['--leave-time', '0'],
      ['--max-cells', '10000'],
    ])
      expect(() => parseOptions(wrong, {})).toThrow(/a number from \d/);
  });

  it('has more room on a larger machine, and holds less for nobody on a small one', () => {
    const GIB = 1024 ** 3;
    const of = (memory: number, cores: number, uids = 10_000) =>
      defaultRoom({ memoryBytes: memory * GIB, cores, uids });
    expect(of(1, 2)).toMatchObject({ maxCells: 3, warmCells: 1, leaveMs: 10_000, sleepMs: 120_000 });
    expect(of(8, 2)).toMatchObject({ maxCells: 39, warmCells: 1, leaveMs: 20_000, sleepMs: 300_000 });
    expect(of(24, 2)).toMatchObject({ maxCells: 64, warmCells: 1 });
    expect(of(256, 64)).toMatchObject({ maxCells: 1308, warmCells: 8 });
    expect(of(256, 64, 606)).toMatchObject({ maxCells: 151 });
    expect(of(0.25, 1)).toMatchObject({ maxCells: 2, warmCells: 1 });
    for (const room of [of(0.25, 1), of(256, 64)]) expect(room).toMatchObject({ goneMs: 120_000, freezeMs: 300_000 });
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
  const repeatable = declaredOptions(
    [
      {
        id: 'mail',
        options: { to: { kind: 'texts', flag: 'recipient', value: 'NAME', pattern: '[a-z]+', about: 'who gets mail' } },
      },
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

  it('may be repeatable, have a name of their own, and be checked', () => {
    const read = (argv: string[], environment = {}) => parseOptions(argv, environment, repeatable).ofPlugins;
    expect(read([])).toEqual({ mail: { to: [] } });
    expect(read(['--recipient', 'ada', '--recipient=bob'])).toEqual({ mail: { to: ['ada', 'bob'] } });
    expect(read([], { VITRINE_RECIPIENT: 'ada, bob' })).toEqual({ mail: { to: ['ada', 'bob'] } });
    for (const wrong of ['', 'ada1', 'a'.repeat(1001)])
      expect(() => read(['--recipient', wrong])).toThrow(expect.objectContaining({ code: 'bad-option' }));
    expect(() => read(Array<string>(21).fill('--recipient=a'))).toThrow(/at most 20/);
    expect(usage(repeatable)).toMatch(/--recipient NAME +who gets mail; repeatable\n/);
    expect(() =>
      declaredOptions([{ id: 'mail', options: { to: { kind: 'switch', flag: 'port', about: 'x' } } }], OWN_OPTIONS),
    ).toThrow(expect.objectContaining({ code: 'bad-plugin' }));
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

describe('the gallery', () => {
  it('is off by default, and refused where other machines reach the host', async () => {
    expect((await readOptions([], {})).options.gallery).toBe(false);
    expect((await readOptions(['--gallery'], {})).options.gallery).toBe(true);
    for (const exposed of [
      ['--host', '0.0.0.0'],
      ['--origin', 'https://isolation.example'],
    ])
      await expect(readOptions(['--gallery', ...exposed], {})).rejects.toThrow('not served to other machines');
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
