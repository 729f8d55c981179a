import type { Provider } from '@openfeature/server-sdk';
import type { Log } from '../../core/contracts/scope.ts';
import { hostAndPort } from '../base/host-name.ts';
import type { Capabilities } from './capabilities.ts';
import { clientCapabilities } from './capabilities.ts';
import { browserOf } from './browser.ts';
import { mayExit } from './decision.ts';
import type { Decision, Subject } from './decision.ts';
import { FlagFileProvider } from './flag-provider.ts';
import { openFlags } from './flags.ts';
import type { Flags } from './flags.ts';
import type { Grant, PersonGrants } from './person-grants.ts';
import type { PersonPolicyData } from './person-policy-data.ts';
import { personPolicy } from './person-policy.ts';
import type { Destination, HostVerdict, PersonPolicy } from './person-policy.ts';
import type { Policy } from './policy.ts';
import { ReadOnlyExits } from './read-only-exits.ts';
import type { SettingsTable } from './settings-table.ts';
import { sliceOf } from './slice.ts';

/**
 * The policy decision point: all code that enforces policy asks here. A decision can become stale: do not keep it
 * longer than the action takes, and ask again on `onChange`.
 */
export interface PolicyEngine {
  /** Decides what applies to a person, on a page when one is given, with its trace. */
  decide(subject: Subject, url?: string): Decision;
  /** Returns a person's capabilities on a page, flags included. `userAgent` is that of the person's browser. */
  grant(subject: Subject, url: string, userAgent: string): Promise<Grant>;
  siteCapabilities(subject: Subject, url: string): Capabilities;
  customization(subject: Subject, url: string): Capabilities;
  /** Returns the policy keys of POST /r/policy/query with their values. */
  answers(subject: Subject, url: string): Capabilities;
  /** Whether a person's surrogate may reach a host. */
  mayReach(subject: Subject, destination: Destination): HostVerdict;
  /**
   * Returns the whole policy for a person now, for a process that decides without the engine; stale once `onChange`
   * listeners are called.
   */
  slice(subject: Subject): PersonPolicyData;
  /**
   * Records that a person leaves read-only on a site: the policy's read-only entry no longer applies to them. False
   * when the policy does not permit it.
   */
  exitReadOnly(subject: Subject, url: string): boolean;
  /**
   * Calls the listener when the policy, the flags or a person's read-only exits have changed, and slices with them: in the last case
   * with that person, for whom alone they have. Returns a function that unregisters it.
   */
  onChange(listener: (person?: Subject) => void): () => void;
}

/** An engine whose policy can be replaced. */
export interface ReplaceablePolicyEngine extends PolicyEngine {
  /** Decides by this policy from now on. */
  replace(policy: Policy): void;
}

interface PolicyEngineOptions {
  /** Absent: every setting has its default. */
  readonly policy?: Policy;
  /** The table of settings that the policy was read with. */
  readonly settings: SettingsTable;
  /** Names of the capabilities that switch plugins. */
  readonly capabilities: readonly string[];
  /** Source of flags that replaces the policy file. */
  readonly provider?: Provider;
  readonly log: Log;
}

const MAX_PEOPLE = 10_000;

/** Creates an engine. @throws AppError `no-flags` when the provider of flags does not become ready. */
export async function createPolicyEngine(options: PolicyEngineOptions): Promise<ReplaceablePolicyEngine> {
  const own = options.provider ? undefined : new FlagFileProvider(options.policy?.content ?? {});
  return new FilePolicyEngine(options, await openFlags(options.provider ?? (own as Provider)), own); // one of the two is there
}

/** Returns the grants of one person from an engine. */
export function grantsFor(engine: Pick<PolicyEngine, 'grant'>, subject: Subject): PersonGrants {
  return { grant: (url, userAgent) => engine.grant(subject, url, userAgent) };
}

class FilePolicyEngine implements ReplaceablePolicyEngine {
  readonly #options: PolicyEngineOptions;
  readonly #flags: Flags;
  readonly #own: FlagFileProvider | undefined;
  readonly #listeners = new Set<(person?: Subject) => void>();
  readonly #exits = new ReadOnlyExits();
  /** Policies of people who were asked about since the last change, each for the groups that they had. */
  readonly #people = new Map<string, { readonly groups: string; readonly policy: PersonPolicy }>();
  #policy: Policy | undefined;
  #revision = 1;

  constructor(options: PolicyEngineOptions, flags: Flags, own: FlagFileProvider | undefined) {
    this.#options = options;
    this.#flags = flags;
    this.#own = own;
    this.#policy = options.policy;
    flags.onChange(() => this.#changed());
  }

  replace(policy: Policy): void {
    this.#policy = policy;
    this.#own?.replace(policy.content);
    this.#changed();
  }

  slice(subject: Subject): PersonPolicyData {
    return sliceOf(this.#policy, subject, { revision: this.#revision, exits: this.#exits.of(subject) });
  }

  decide(subject: Subject, url?: string): Decision {
    return this.#person(subject).decide(url);
  }

  exitReadOnly(subject: Subject, url: string): boolean {
    const address = URL.parse(url);
    const host = address ? hostAndPort(address) : undefined;
    if (host === undefined || !mayExit(this.decide(subject, url))) return false;
    this.#exits.add(subject, host);
    this.#changed(subject);
    return true;
  }

  async grant(subject: Subject, url: string, userAgent: string): Promise<Grant> {
    const { settings, groups } = this.decide(subject, url);
    const { capabilities } = this.#options;
    const names = [...capabilities, ...Object.keys(this.#policy?.content.flags ?? {})];
    const flags = await this.#flags.evaluate(names, {
      targetingKey: `${subject.tenant}/${subject.subject}`,
      tenant: subject.tenant,
      groups,
      user: subject.subject,
      browser: browserOf(userAgent),
    });
    for (const [flag, { variant, reason }] of flags)
      if (variant === 'error')
        this.#options.log.error('flag evaluation failed: its capability is off', { flag, reason });
    return { capabilities: clientCapabilities(settings, capabilities, flags), flags: [...flags] };
  }

  siteCapabilities(subject: Subject, url: string): Capabilities {
    return this.#person(subject).siteCapabilities(url);
  }

  customization(subject: Subject, url: string): Capabilities {
    return this.#person(subject).customization(url);
  }

  answers(subject: Subject, url: string): Capabilities {
    return this.#person(subject).answers(url);
  }

  mayReach(subject: Subject, destination: Destination): HostVerdict {
    return this.#person(subject).mayReach(destination);
  }

  onChange(listener: (person?: Subject) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #person(subject: Subject): PersonPolicy {
    const key = keyOf(subject);
    const groups = JSON.stringify(subject.groups);
    const known = this.#people.get(key);
    if (known?.groups === groups) return known.policy;
    if (this.#people.size >= MAX_PEOPLE) this.#people.clear();
    const policy = personPolicy(this.slice(subject), this.#options.settings);
    this.#people.set(key, { groups, policy });
    return policy;
  }

  /** `person`: the one for whom alone something has changed. What one person does costs the others nothing. */
  #changed(person?: Subject): void {
    this.#revision += 1;
    if (person) this.#people.delete(keyOf(person));
    else this.#people.clear();
    for (const listener of [...this.#listeners]) listener(person);
  }
}

function keyOf({ tenant, subject }: Subject): string {
  return JSON.stringify([tenant, subject]);
}
