import { partsOf } from './host-pattern.ts';

/** Hosts with the ports that are named with them; undefined is every port. */
type Ports = Map<string, Set<string | undefined>>;

/** Index of a list of patterns by host: `''` is the root, below which all hosts are. */
interface Index {
  /** Hosts named without those below them. */
  readonly exact: Ports;
  /** Hosts named with all below them. */
  readonly whole: Ports;
  /** All hosts that are named or have a named host below them. */
  readonly above: Ports;
}

const indexes = new WeakMap<readonly string[], Index>();

/** Whether some host and port matches both a pattern and one of a list. All patterns have passed `hostPattern`. */
export function canMeet(list: readonly string[], pattern: string): boolean {
  const { exact, whole, above } = indexOf(list);
  const { host, isWhole, port } = rootOf(pattern);
  const meets = (ports: Ports, name: string): boolean => {
    const named = ports.get(name);
    return named !== undefined && (port === undefined || named.has(undefined) || named.has(port));
  };
  return meets(isWhole ? above : exact, host) || parentsOf(host).some((parent) => meets(whole, parent));
}

function indexOf(list: readonly string[]): Index {
  let index = indexes.get(list);
  if (index) return index;
  index = { exact: new Map(), whole: new Map(), above: new Map() };
  for (const pattern of list) {
    const { host, isWhole, port } = rootOf(pattern);
    add(isWhole ? index.whole : index.exact, host, port);
    for (const parent of parentsOf(host)) add(index.above, parent, port);
  }
  indexes.set(list, index);
  return index;
}

function add(ports: Ports, host: string, port: string | undefined): void {
  const known = ports.get(host);
  if (known) known.add(port);
  else ports.set(host, new Set([port]));
}

function rootOf(pattern: string): {
  readonly host: string;
  readonly isWhole: boolean;
  readonly port: string | undefined;
} {
  const { host, port } = partsOf(pattern);
  if (host === '*') return { host: '', isWhole: true, port };
  return host.startsWith('*.') ? { host: host.slice(2), isWhole: true, port } : { host, isWhole: false, port };
}

/** A host and all its parents, the root last. */
function parentsOf(host: string): string[] {
  const labels = host === '' ? [] : host.split('.');
  return [...labels.map((_, index) => labels.slice(index).join('.')), ''];
}
