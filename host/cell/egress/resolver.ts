import { lookup, Resolver } from 'node:dns/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { hostsFile } from './hosts-file.ts';
import type { FindInHosts } from './hosts-file.ts';
import { Turns } from './turns.ts';

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

/** Resolves a name to all its addresses, the preferred first. Rejects when there is none. */
export type Resolve = (name: string) => Promise<readonly ResolvedAddress[]>;

/** Time for one try of a name server, in ms, and number of tries: a page chooses the servers that are asked in the end. */
const TRY_MS = 2000;
const TRIES = 2;
/** Wait for the addresses of the other family, in ms, once those of one are known. */
const OTHER_FAMILY_MS = 200;
/** Names that are looked up at a time, and that wait for it. */
const NAMES = { running: 64, waiting: 512, waitMs: 10_000 };
/** The system's own resolver keeps a thread of the process while it waits, and other work needs threads, too. */
const SYSTEM_NAMES = { running: 2, waiting: 64, waitMs: 10_000 };
/** Errors of name servers after which the system's own resolver is asked: it knows names that are not in DNS. */
const UNKNOWN = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED', 'EBADNAME', 'ENOTIMP']);

interface SystemResolverOptions {
  /** Addresses of name servers, as `dns.setServers` takes them. Default: the system's. */
  readonly servers?: readonly string[];
  readonly hosts?: FindInHosts;
  /** The system's own resolver. */
  readonly system?: Resolve;
}

/**
 * Resolves names like the system: by the hosts file, then by its name servers, then by its own resolver, for names that are not in DNS.
 * Names whose server does not answer neither keep threads of the process nor delay other names.
 */
export function systemResolver(options: SystemResolverOptions = {}): Resolve {
  const { hosts = hostsFile(), system = (name) => lookup(name, { all: true }) } = options;
  const dns = new Resolver({ timeout: TRY_MS, tries: TRIES });
  if (options.servers) dns.setServers(options.servers);
  const [names, systemNames] = [new Turns(NAMES), new Turns(SYSTEM_NAMES)];
  return async (name) => {
    const known = await hosts(name);
    if (known.length > 0) return known;
    const bySystem = (): ReturnType<Resolve> => systemNames.run(() => system(name));
    if (isLocal(name)) return bySystem();
    try {
      return await names.run(() => byServers(dns, name));
    } catch (thrown) {
      if (UNKNOWN.has(String((thrown as { readonly code?: unknown }).code))) return bySystem(); // errors of `dns` have one
      throw thrown;
    }
  };
}

/** Whether name servers do not know a name: one without dots, which search domains complete, or one of this machine or link. */
function isLocal(name: string): boolean {
  return !/[^.]\.[^.]/.test(name) || /\.(?:localhost|local)\.?$/i.test(name);
}

async function byServers(dns: Resolver, name: string): Promise<readonly ResolvedAddress[]> {
  const four = dns.resolve4(name).then((found) => found.map((address) => ({ address, family: 4 })));
  const six = dns.resolve6(name).then((found) => found.map((address) => ({ address, family: 6 })));
  const late = Promise.any([four, six]).then(
    () => delay<ResolvedAddress[]>(OTHER_FAMILY_MS, []),
    (): ResolvedAddress[] => [],
  );
  const within = (one: Promise<ResolvedAddress[]>): Promise<ResolvedAddress[]> => Promise.race([one, late]);
  const [ipv4, ipv6] = await Promise.allSettled([within(four), within(six)]);
  const found = [ipv4, ipv6].flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  if (found.length > 0) return found;
  // A family that does not exist says less than a server that does not answer.
  const reasons = (await Promise.allSettled([four, six])).flatMap((one): unknown[] =>
    one.status === 'rejected' ? [one.reason] : [],
  );
  throw reasons.find((reason) => !UNKNOWN.has(String((reason as { readonly code?: unknown }).code))) ?? reasons[0];
}

const KEEP_MS = 60_000;
const MAX_NAMES = 1000;

/**
 * Caches answers for a minute: a page opens many connections to one name, and the system's resolver has few threads.
 * Failures are not cached. Stale answers do no harm: the address that is checked is the one connected to.
 */
export function cachedResolve(resolve: Resolve): Resolve {
  const known = new Map<string, { readonly answer: ReturnType<Resolve>; readonly at: number }>();
  return (name) => {
    const entry = known.get(name);
    if (entry && performance.now() - entry.at < KEEP_MS) return entry.answer;
    const answer = resolve(name);
    known.delete(name);
    known.set(name, { answer, at: performance.now() });
    answer.catch(() => {
      if (known.get(name)?.answer === answer) known.delete(name);
    });
    for (const oldest of known.keys()) {
      if (known.size <= MAX_NAMES) break;
      known.delete(oldest);
    }
    return answer;
  };
}
