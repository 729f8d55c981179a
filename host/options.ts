import { parseArgs } from 'node:util';
import path from 'node:path';
import * as v from 'valibot';
import { AppError } from '../core/protocol/errors.ts';
import { DEFAULT_UIDS, parseUidRange, type UidRange } from './cells/uid-range.ts';

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
  /** Cells that may run at once, each with a browser. */
  readonly maxCells: number;
  readonly plugins: readonly string[];
  readonly origins: readonly string[];
  readonly frameAncestors: readonly string[];
  readonly inspectOrigin: string | undefined;
  readonly clusterOrigin: string | undefined;
  readonly loginOrigins: readonly string[];
  readonly allowNetworks: readonly string[];
  readonly allowPrivateNetworks: boolean;
  readonly reload: boolean;
  readonly logLevel: string;
  readonly help: boolean;
}

interface Declared {
  readonly type: 'string' | 'boolean';
  readonly multiple?: boolean;
  readonly short?: string;
  readonly value?: string;
  readonly text: string;
}

/** Default of `--max-cells`. */
const MAX_CELLS = 50;

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
    text: "origin that may show the shell in a frame; repeatable ('none')",
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
  'tls-cert': { type: 'string', value: 'FILE', text: 'PEM certificate chain; with --tls-key serves https' },
  'tls-key': { type: 'string', value: 'FILE', text: 'PEM private key' },
  policy: { type: 'string', value: 'FILE', text: 'policy file (none: the defaults, with every plugin on)' },
  data: { type: 'string', value: 'DIR', text: 'where profiles, logs and secrets live (.vitrine)' },
  chromium: { type: 'string', value: 'PATH', text: 'the Chromium to run as surrogate (found on PATH)' },
  'cell-uids': {
    type: 'string',
    value: 'FIRST-LAST',
    text: `user ids of cells and browsers, two each, when run by root (${DEFAULT_UIDS.first}-${DEFAULT_UIDS.last})`,
  },
  'max-cells': {
    type: 'string',
    value: 'N',
    text: `cells that may run at once, each with a browser (${MAX_CELLS})`,
  },
  plugins: {
    type: 'string',
    multiple: true,
    value: 'PATH',
    text: 'folder of a plugin to serve beside those built in; repeatable',
  },
  reload: { type: 'boolean', text: 'for those who write plugins: starts again when one has changed' },
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

/** The text of `--help`. */
export function usage(): string {
  const rows = (Object.entries(DECLARED) as [Name, Declared][]).map(([name, { value, text }]) => {
    // the table's own keys
    return `  ${`--${name}${value ? ` ${value}` : ''}`.padEnd(36)}${text}`;
  });
  return [
    'Usage: npm start -- [options]',
    '',
    ...rows,
    '',
    'Every option may also stand in the environment: --allow-network as VITRINE_ALLOW_NETWORK (repeatable ones with commas).',
  ].join('\n');
}

const port = v.pipe(v.string(), v.regex(/^\d{1,5}$/), v.transform(Number), v.maxValue(65_535));
const cells = v.pipe(v.string(), v.regex(/^[1-9]\d{0,3}$/, 'a number from 1 to 9999 is needed'), v.transform(Number));
const level = v.picklist(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']);

/**
 * Reads the options; the command line wins over the environment.
 *
 * @throws AppError `bad-option` saying which and why.
 */
export function parseOptions(
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Options {
  const declared: Record<string, Declared> = DECLARED;
  let values: Record<string, string | boolean | (string | boolean)[] | undefined>;
  try {
    const options = Object.fromEntries(
      Object.entries(declared).map(([name, { type, multiple, short }]) => [
        name,
        { type, ...(multiple ? { multiple } : {}), ...(short ? { short } : {}) },
      ]),
    );
    ({ values } = parseArgs({ args: [...argv], options, allowPositionals: false }));
  } catch (cause) {
    throw new AppError('bad-option', cause instanceof Error ? cause.message : String(cause), { cause });
  }
  const fromEnvironment = (name: Name): string | undefined =>
    environment[`VITRINE_${name.toUpperCase().replaceAll('-', '_')}`];
  const one = (name: Name): string | undefined => {
    const value = values[name];
    return typeof value === 'string' ? value : fromEnvironment(name) || undefined;
  };
  const many = (name: Name): string[] => {
    const value = values[name];
    if (Array.isArray(value)) return value.map(String);
    return (fromEnvironment(name) ?? '')
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean);
  };
  const flag = (name: Name): boolean => values[name] === true || /^(1|true|yes)$/i.test(fromEnvironment(name) ?? '');
  const checked = <T>(name: Name, schema: v.GenericSchema<string, T>, value: string): T => {
    const outcome = v.safeParse(schema, value);
    if (!outcome.success)
      throw new AppError('bad-option', `--${name}: ${JSON.stringify(value)} will not do: ${outcome.issues[0].message}`);
    return outcome.output;
  };

  const tlsCert = one('tls-cert');
  const tlsKey = one('tls-key');
  if (!tlsCert !== !tlsKey) throw new AppError('bad-option', '--tls-cert and --tls-key go together');
  const uids = one('cell-uids');
  return {
    port: checked('port', port, one('port') ?? '7700'),
    host: one('host') ?? '127.0.0.1',
    tlsCert,
    tlsKey,
    policy: one('policy'),
    data: path.resolve(one('data') ?? '.vitrine'),
    chromium: one('chromium'),
    cellUids: uids === undefined ? DEFAULT_UIDS : parseUidRange(uids),
    maxCells: checked('max-cells', cells, one('max-cells') ?? String(MAX_CELLS)),
    // From where npm was called, which runs scripts elsewhere.
    plugins: many('plugins').map((folder) => path.resolve(environment['INIT_CWD'] ?? '.', folder)),
    origins: many('origin').map((origin) => checkedOrigin('origin', origin)),
    frameAncestors: many('frame-ancestors').map((origin) => checkedOrigin('frame-ancestors', origin)),
    inspectOrigin: optionalOrigin('inspect-origin', one('inspect-origin')),
    clusterOrigin: optionalOrigin('cluster-origin', one('cluster-origin')),
    loginOrigins: many('login-origin').map((origin) => checkedOrigin('login-origin', origin)),
    allowNetworks: many('allow-network'),
    allowPrivateNetworks: flag('allow-private-networks'),
    logLevel: checked('log-level', level, one('log-level') ?? 'info'),
    reload: flag('reload'),
    help: flag('help'),
  };
}

function optionalOrigin(name: Name, value: string | undefined): string | undefined {
  return value === undefined ? undefined : checkedOrigin(name, value);
}

function checkedOrigin(name: Name, value: string): string {
  const url = URL.parse(value);
  if (!url || !/^https?:$/.test(url.protocol) || url.origin !== value.replace(/\/$/, ''))
    throw new AppError('bad-option', `--${name}: ${JSON.stringify(value)} is no origin: write https://name[:port]`);
  return url.origin;
}
