import { parseArgs } from 'node:util';
import type { ParseArgsConfig } from 'node:util';
import path from 'node:path';
import * as v from 'valibot';
import { AppError, toAppError } from '../../core/protocol/errors.ts';
import { parseListenAddress, parseProxy, type ListenAddress } from '../base/exposure.ts';
import { parsePageBudgets, type PageBudgets } from '../base/page-budgets.ts';
import type { ChosenLimits } from '../base/chosen-limits.ts';
import { DEFAULT_UIDS, parseUidRange, type UidRange } from '../cells/uid-range.ts';
import type { Room } from '../base/room.ts';
import { optionUsage, optionValue } from '../declared/options.ts';
import type { DeclaredOption, GivenOption, OptionsByPlugin } from '../declared/options.ts';
import { readRoom, ROOM_OPTIONS } from './room-options.ts';

/** Options of the command line and of `VITRINE_*` variables. */
export interface Options {
  readonly port: number;
  readonly host: string;
  readonly tlsCert: string | undefined;
  readonly tlsKey: string | undefined;
  readonly policy: string | undefined;
  readonly data: string;
  readonly chromium: string | undefined;
  /** User ids for cells and their browsers, where the host is root. */
  readonly cellUids: UidRange;
  /** The number of people who are served, and the times for which unused resources are held. */
  readonly room: Room;
  /** Work that the page of one tab may cause. */
  readonly pageBudgets: PageBudgets;
  /** Limits of cells and browsers in place of the machine's defaults. */
  readonly limits: ChosenLimits;
  readonly plugins: readonly string[];
  readonly origins: readonly string[];
  readonly frameAncestors: readonly string[];
  readonly inspectOrigin: string | undefined;
  readonly clusterOrigin: string | undefined;
  readonly loginOrigins: readonly string[];
  /** Where the host is reached from other machines: whether everybody may use it. */
  readonly allowAnonymous: boolean;
  /** Addresses of proxies that may name the addresses of their clients. */
  readonly trustedProxies: readonly string[];
  /** A listener for the metrics alone. */
  readonly metrics: ListenAddress | undefined;
  readonly allowNetworks: readonly string[];
  readonly allowPrivateNetworks: boolean;
  readonly reload: boolean;
  readonly gallery: boolean;
  readonly logLevel: string;
  readonly help: boolean;
  /** Values of the options that plugins have declared, by plugin. */
  readonly ofPlugins: OptionsByPlugin;
}

interface Declared {
  readonly type: 'string' | 'boolean';
  readonly multiple?: boolean;
  readonly short?: string;
  readonly value?: string;
  readonly text: string;
}

const MIB = 1024 * 1024;
const DEFAULT_PORT = '7700';

/** One table for parsing, the environment and `--help`. */
const DECLARED = {
  port: { type: 'string', value: 'N', text: 'port to listen on (7700; 0: any free one)' },
  host: { type: 'string', value: 'ADDRESS', text: 'address to listen on (127.0.0.1)' },
  origin: {
    type: 'string',
    multiple: true,
    value: 'URL',
    text: 'origin under which people reach this host by a name; repeatable',
  },
  'frame-ancestors': {
    type: 'string',
    multiple: true,
    value: 'ORIGIN',
    text: "origin of this host's site that may show the shell in a frame; repeatable ('none')",
  },
  'inspect-origin': {
    type: 'string',
    value: 'URL',
    text: "origin of the helper frame, by which this host is reached too (the shell's own)",
  },
  'cluster-origin': { type: 'string', value: 'URL', text: 'origin to fall back to when that does not answer' },
  'login-origin': {
    type: 'string',
    multiple: true,
    value: 'URL',
    text: 'origin whose pages sign people in; repeatable',
  },
  'allow-anonymous': {
    type: 'boolean',
    text: 'beyond this machine, let everybody in who reaches this host; else browsers need its link',
  },
  'trusted-proxy': {
    type: 'string',
    multiple: true,
    value: 'IP|CIDR',
    text: 'proxy whose X-Forwarded-For is believed, for limits per client address; repeatable',
  },
  metrics: {
    type: 'string',
    value: 'ADDRESS:PORT',
    text: "where to serve /metrics (beyond this machine: nowhere; else the host's own address)",
  },
  'tls-cert': { type: 'string', value: 'FILE', text: 'PEM certificate chain; with --tls-key serves https' },
  'tls-key': { type: 'string', value: 'FILE', text: 'PEM private key' },
  policy: { type: 'string', value: 'FILE', text: 'policy file (none: the defaults, with every plugin on)' },
  data: { type: 'string', value: 'DIR', text: 'where profiles, logs and secrets live (.vitrine)' },
  chromium: { type: 'string', value: 'PATH', text: 'the Chromium to run as surrogate (found on PATH)' },
  'cell-uids': {
    type: 'string',
    value: 'FIRST-LAST',
    text: `user ids of cells and browsers, two each, and two for each decoder, when run by root (${DEFAULT_UIDS.first}-${DEFAULT_UIDS.last})`,
  },
  ...ROOM_OPTIONS,
  'cell-memory': { type: 'string', value: 'MIB', text: 'memory of the Node process of each cell (1024)' },
  'browser-memory': {
    type: 'string',
    value: 'MIB',
    text: "memory of each browser (half of the machine's, 1024 to 4096)",
  },
  'browser-processes': { type: 'string', value: 'N', text: 'processes and threads of each browser (4096)' },
  'cell-cpu': {
    type: 'string',
    value: 'PERCENT',
    text: 'processor time of each person, in hundredths of a processor (a fair share); needs cgroups',
  },
  'profile-size': {
    type: 'string',
    value: 'MIB',
    text: 'size of the profile of each browser on disk (a tenth of what is free, 256 to 4096)',
  },
  'cell-connections': { type: 'string', value: 'N', text: 'connections of each browser to sites (1024)' },
  'cell-names': { type: 'string', value: 'N', text: 'host names that each browser may ask for in a minute (600)' },
  'page-budget': {
    type: 'string',
    multiple: true,
    value: 'KIND=SOFT/HARD',
    text: 'work that a page may cause in a second before it is slowed, and ended; repeatable (README)',
  },
  plugins: {
    type: 'string',
    multiple: true,
    value: 'PATH',
    text: 'folder of a plugin to serve beside those built in; repeatable',
  },
  reload: { type: 'boolean', text: 'for those who write plugins: starts again when one has changed' },
  gallery: { type: 'boolean', text: 'for development, on this machine alone: shows all of its surfaces at /gallery' },
  'allow-network': {
    type: 'string',
    multiple: true,
    value: 'HOST[:PORT]|CIDR',
    text: 'what surrogates may reach beyond public addresses; repeatable',
  },
  'allow-private-networks': {
    type: 'boolean',
    text: "surrogates may reach private addresses; never this host's own listener",
  },
  'log-level': { type: 'string', value: 'LEVEL', text: 'trace, debug, info, warn, error or fatal (info)' },
  help: { type: 'boolean', short: 'h', text: 'print this and exit' },
} as const satisfies Record<string, Declared>;

type Name = keyof typeof DECLARED;

/** Names of the host's own options. */
export const OWN_OPTIONS: readonly string[] = Object.keys(DECLARED);

/** The text of `--help`, with the options of plugins. */
export function usage(ofPlugins: readonly DeclaredOption[] = []): string {
  const own = Object.entries<Declared>(DECLARED).map(([name, { value, text }]) => ({ name, value, text }));
  const others = ofPlugins.map((option) => ({ name: option.flag, value: undefined, ...optionUsage(option) }));
  const rows = [...own, ...others].map(
    ({ name, value, text }) => `  ${`--${name}${value ? ` ${value}` : ''}`.padEnd(36)}${text}`,
  );
  return [
    'Usage: npm start -- [options]',
    '',
    ...rows,
    '',
    'Every option may also stand in the environment: --allow-network as VITRINE_ALLOW_NETWORK (repeatable ones with commas).',
  ].join('\n');
}

const port = v.pipe(v.string(), v.regex(/^\d{1,5}$/), v.transform(Number), v.maxValue(65_535));
const amount = v.pipe(
  v.string(),
  v.regex(/^[1-9]\d{0,6}$/, 'a number from 1 to 9999999 is needed'),
  v.transform(Number),
);
const level = v.picklist(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']);

type Environment = Readonly<Record<string, string | undefined>>;
type Parsed = Record<string, string | boolean | (string | boolean)[] | undefined>;

/** Options as `parseArgs` takes them. */
function parsable(ofPlugins: readonly DeclaredOption[]): NonNullable<ParseArgsConfig['options']> {
  const own = Object.entries<Declared>(DECLARED).map(
    ([name, { type, multiple = false, short }]) => [name, { type, multiple, ...(short ? { short } : {}) }] as const,
  );
  const others = ofPlugins.map(
    ({ flag, declaration: { kind } }) =>
      [flag, { type: kind === 'switch' ? 'boolean' : 'string', multiple: kind === 'texts' }] as const,
  );
  return Object.fromEntries([...own, ...others]);
}

/** A path as its caller means it: relative to where npm was called, which runs scripts elsewhere. */
function fromCaller(given: string, environment: Environment): string {
  return path.resolve(environment['INIT_CWD'] ?? '.', given);
}

/** The data folder: `--data`, else VITRINE_DATA, else `.vitrine` in the checkout. */
export function dataFolder(given: string | undefined, environment: Environment): string {
  const named = given ?? (environment['VITRINE_DATA'] || undefined);
  return named === undefined
    ? path.join(path.resolve(import.meta.dirname, '../..'), '.vitrine')
    : fromCaller(named, environment);
}

/** The folders of `--plugins`, before the options are known that these declare. */
export function pluginFolders(argv: readonly string[], environment: Environment): string[] {
  const { values } = parseArgs({ args: [...argv], options: parsable([]), allowPositionals: true, strict: false });
  return foldersOf(values['plugins'], environment);
}

/** Whether a host is to be started again when a plugin has changed; help is shown once. */
export function isReloading(argv: readonly string[], environment: Environment): boolean {
  const { values } = parseArgs({ args: [...argv], options: parsable([]), allowPositionals: true, strict: false });
  return (values['reload'] === true || isYes(environment['VITRINE_RELOAD'])) && values['help'] !== true;
}

const isYes = (text = ''): boolean => /^(1|true|yes)$/i.test(text);

/** Options for the parent of a host that is started again (`--reload`). Wrong options are for the host itself to report. */
export function reloadOptions(
  argv: readonly string[],
  environment: Environment,
): { readonly port: number; readonly folders: readonly string[] } {
  const { values } = parseArgs({ args: [...argv], options: parsable([]), allowPositionals: true, strict: false });
  const port = Number(values['port'] ?? environment['VITRINE_PORT'] ?? DEFAULT_PORT);
  return {
    port: Number.isSafeInteger(port) ? port : Number(DEFAULT_PORT),
    folders: foldersOf(values['plugins'], environment),
  };
}

function foldersOf(given: Parsed[string], environment: Environment): string[] {
  const folders = Array.isArray(given)
    ? given.filter((folder) => typeof folder === 'string')
    : listed(environment['VITRINE_PLUGINS']);
  return folders.map((folder) => fromCaller(folder, environment));
}

/** The parts of a list with commas. */
function listed(text = ''): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
}

const inEnvironment = (name: string): string => `VITRINE_${name.toUpperCase().replaceAll('-', '_')}`;

/**
 * Reads the options; the command line wins over the environment.
 *
 * @throws AppError `bad-option` saying which and why.
 */
export function parseOptions(
  argv: readonly string[],
  environment: Environment,
  ofPlugins: readonly DeclaredOption[] = [],
): Options {
  let values: Parsed;
  try {
    ({ values } = parseArgs({ args: [...argv], options: parsable(ofPlugins), allowPositionals: false }));
  } catch (cause) {
    throw new AppError('bad-option', cause instanceof Error ? cause.message : String(cause), { cause });
  }
  const fromEnvironment = (name: Name): string | undefined => environment[inEnvironment(name)];
  const one = (name: Name): string | undefined => {
    const value = values[name];
    return typeof value === 'string' ? value : fromEnvironment(name) || undefined;
  };
  const many = (name: Name): string[] => {
    const value = values[name];
    return Array.isArray(value) ? value.map(String) : listed(fromEnvironment(name));
  };
  const flag = (name: Name): boolean => values[name] === true || isYes(fromEnvironment(name));
  const checked = <T>(name: Name, schema: v.GenericSchema<string, T>, value: string): T => {
    const outcome = v.safeParse(schema, value);
    if (!outcome.success)
      throw new AppError(
        'bad-option',
        `--${name}: ${JSON.stringify(value)} is not valid: ${outcome.issues[0].message}`,
      );
    return outcome.output;
  };

  const tlsCert = one('tls-cert');
  const tlsKey = one('tls-key');
  if (!tlsCert !== !tlsKey) throw new AppError('bad-option', '--tls-cert and --tls-key go together');
  const uids = one('cell-uids');
  const cellUids = uids === undefined ? DEFAULT_UIDS : parseUidRange(uids);
  const metrics = one('metrics');
  return {
    port: checked('port', port, one('port') ?? DEFAULT_PORT),
    host: one('host') ?? '127.0.0.1',
    tlsCert,
    tlsKey,
    policy: one('policy'),
    data: dataFolder(one('data'), environment),
    chromium: one('chromium'),
    cellUids,
    room: readRoom(one, cellUids.last - cellUids.first + 1),
    limits: chosenLimits((name, unit) => {
      const value = one(name);
      return value === undefined ? undefined : checked(name, amount, value) * unit;
    }),
    pageBudgets: parsePageBudgets(many('page-budget')),
    plugins: foldersOf(values['plugins'], environment),
    origins: many('origin').map((origin) => checkedOrigin('origin', origin)),
    frameAncestors: many('frame-ancestors').map((origin) => checkedOrigin('frame-ancestors', origin)),
    inspectOrigin: optionalOrigin('inspect-origin', one('inspect-origin')),
    clusterOrigin: optionalOrigin('cluster-origin', one('cluster-origin')),
    loginOrigins: many('login-origin').map((origin) => checkedOrigin('login-origin', origin)),
    allowAnonymous: flag('allow-anonymous'),
    trustedProxies: many('trusted-proxy').map((proxy) => named('trusted-proxy', parseProxy, proxy)),
    metrics: metrics === undefined ? undefined : named('metrics', parseListenAddress, metrics),
    allowNetworks: many('allow-network'),
    allowPrivateNetworks: flag('allow-private-networks'),
    logLevel: checked('log-level', level, one('log-level') ?? 'info'),
    reload: flag('reload'),
    gallery: flag('gallery'),
    help: flag('help'),
    ofPlugins: valuesOf(ofPlugins, ({ flag, declaration: { kind } }) => {
      const value = values[flag];
      if (Array.isArray(value)) return value.map(String);
      if (typeof value === 'string' || value === true) return value;
      const found = environment[inEnvironment(flag)] || undefined;
      return kind === 'texts' ? listed(found) : found;
    }),
  };
}

/** Reads an option's value; an error names the option. */
function named<T>(name: Name, read: (value: string) => T, value: string): T {
  try {
    return read(value);
  } catch (thrown) {
    throw new AppError('bad-option', `--${name}: ${toAppError(thrown).message}`, { cause: thrown });
  }
}

/** The limits that are given. */
function chosenLimits(read: (name: Name, unit: number) => number | undefined): ChosenLimits {
  const chosen = {
    cellMemoryBytes: read('cell-memory', MIB),
    browserMemoryBytes: read('browser-memory', MIB),
    browserTasks: read('browser-processes', 1),
    cpuPercent: read('cell-cpu', 1),
    profileBytes: read('profile-size', MIB),
    cellConnections: read('cell-connections', 1),
    cellNames: read('cell-names', 1),
  };
  return Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== undefined));
}

/** Values of the options of plugins. */
function valuesOf(options: readonly DeclaredOption[], given: (option: DeclaredOption) => GivenOption): OptionsByPlugin {
  const byPlugin = Map.groupBy(options, ({ plugin }) => plugin);
  return Object.fromEntries(
    [...byPlugin].map(([plugin, own]) => [
      plugin,
      Object.fromEntries(own.map((option) => [option.name, optionValue(option, given(option))])),
    ]),
  );
}

function optionalOrigin(name: Name, value: string | undefined): string | undefined {
  return value === undefined ? undefined : checkedOrigin(name, value);
}

function checkedOrigin(name: Name, value: string): string {
  const url = URL.parse(value);
  if (!url || !/^https?:$/.test(url.protocol) || url.origin !== value.replace(/\/$/, ''))
    throw new AppError('bad-option', `--${name}: ${JSON.stringify(value)} is not an origin: write https://name[:port]`);
  return url.origin;
}
