/** Policy of one person: decides without the policy file and without the code that reads it. */
import { AppError } from '../../core/protocol/errors.ts';
import { hostName } from '../base/host-name.ts';
import { customizationOf, policyAnswers, siteCapabilities } from './capabilities.ts';
import type { Capabilities } from './capabilities.ts';
import { decideFor } from './decision.ts';
import type { Decision } from './decision.ts';
import { compilePattern } from './host-pattern.ts';
import type { Matches } from './host-pattern.ts';
import type { PersonPolicyData } from './person-policy-data.ts';
import type { SettingsTable } from './settings-table.ts';

/** A host and port that a surrogate wants to reach. */
export interface Destination {
  readonly host: string;
  readonly port: number;
}

/** Verdict on a host. */
export type HostVerdict = { readonly allow: true } | { readonly allow: false; readonly message: string };

/**
 * The policy of one person. A decision can become stale: do not keep it longer than the action takes, and ask again on
 * `onChange`.
 */
export interface PersonPolicy {
  /** Revision of the policy that decisions are based on. */
  readonly revision: number;
  /** Decides what applies to the person, on a page when one is given, with its trace; for something of several sites see `decideFor`. */
  decide(address?: string | readonly string[]): Decision;
  /** Whether the person's surrogate may reach a host. */
  mayReach(destination: Destination): HostVerdict;
  siteCapabilities(url: string): Capabilities;
  customization(url: string): Capabilities;
  /** Returns the policy keys of POST /r/policy/query with their values. */
  answers(url: string): Capabilities;
  /**
   * Decides by this data from now on and calls the listeners. Does nothing when its revision is not later than the
   * present one.
   *
   * @throws AppError `wrong-person` when it is for another person.
   */
  replace(data: PersonPolicyData): void;
  /** Calls the listener when another revision applies. Returns a function that unregisters it. */
  onChange(listener: () => void): () => void;
}

const REFUSED = 'The policy of your organization does not allow this host.';
const UNKNOWN_TENANT = 'The policy does not know your organization.';

/** Creates a person's policy. @param now the time in ms, for the end of exits from read-only */
export function personPolicy(
  data: PersonPolicyData,
  settings: SettingsTable,
  now: () => number = Date.now,
): PersonPolicy {
  return new SlicePolicy(data, settings, now);
}

class SlicePolicy implements PersonPolicy {
  readonly #settings: SettingsTable;
  readonly #now: () => number;
  readonly #listeners = new Set<() => void>();
  #data: PersonPolicyData;
  #hosts = new Map<string, Matches>();
  /** Decision that does not depend on the page: used for every connection. */
  #standing: Decision | undefined;

  constructor(data: PersonPolicyData, settings: SettingsTable, now: () => number) {
    this.#data = data;
    this.#settings = settings;
    this.#now = now;
  }

  get revision(): number {
    return this.#data.revision;
  }

  decide(address?: string | readonly string[]): Decision {
    if (address !== undefined) return decideFor(this.#data, this.#settings, address, this.#now());
    return (this.#standing ??= decideFor(this.#data, this.#settings));
  }

  mayReach({ host, port }: Destination): HostVerdict {
    const { known, settings } = this.decide();
    if (!known) return { allow: false, message: UNKNOWN_TENANT };
    const { allow, block, message = REFUSED } = settings.egress;
    const url = URL.parse(`http://${host.includes(':') ? `[${host}]` : host}:${port}/`);
    if (!url || hostName(url.hostname) === undefined) return { allow: false, message };
    const fits = (pattern: string): boolean => this.#host(pattern)(url);
    const isAllowed = allow.every((list) => list.some(fits)) && !block.some(fits);
    return isAllowed ? { allow: true } : { allow: false, message };
  }

  siteCapabilities(url: string): Capabilities {
    return siteCapabilities(this.decide(url).settings, this.#settings.client);
  }

  customization(url: string): Capabilities {
    return customizationOf(this.decide(url).settings);
  }

  answers(url: string): Capabilities {
    return policyAnswers(this.decide(url).settings, this.#settings.client);
  }

  replace(data: PersonPolicyData): void {
    const { tenant, subject, revision } = this.#data;
    if (data.tenant !== tenant || data.subject !== subject)
      throw new AppError('wrong-person', 'this policy is for another person');
    if (data.revision <= revision) return;
    this.#data = data;
    this.#hosts = new Map();
    this.#standing = undefined;
    for (const listener of [...this.#listeners]) listener();
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #host(pattern: string): Matches {
    let matches = this.#hosts.get(pattern);
    if (!matches) this.#hosts.set(pattern, (matches = compilePattern(pattern)));
    return matches;
  }
}
