import type { Provider } from '@openfeature/server-sdk';
import type { Log } from '../../core/contracts/scope.ts';
import type { Capabilities } from './capabilities.ts';
import { clientCapabilities, customizationOf, policyAnswers, siteCapabilities } from './capabilities.ts';
import { browserOf } from './browser.ts';
import { decide } from './decision.ts';
import type { Decision, Subject } from './decision.ts';
import { FlagFileProvider } from './flag-provider.ts';
import { openFlags } from './flags.ts';
import type { Assignment, Flags } from './flags.ts';
import { compilePattern } from './host-pattern.ts';
import type { Matches } from './host-pattern.ts';
import type { Policy } from './policy.ts';

/** What a person has, as it is told at pairing. */
export interface Grant {
  readonly capabilities: Capabilities;
  /** What flags have said, by capability. */
  readonly flags: ReadonlyMap<string, Assignment>;
}

/** Whether a host may be reached. */
type HostVerdict = { readonly allow: true } | { readonly allow: false; readonly message: string };

/**
 * The policy decision point: whoever enforces something asks here. Decisions are of now; hold none for longer than it takes to act on it,
 * and ask again on `onChange`.
 */
export interface PolicyEngine {
  /** What holds for a person, on a page when one is named, with its trace. */
  decide(subject: Subject, url?: string): Decision;
  /** What a person has on a page, flags included. `userAgent` is that of the person's browser. */
  grant(subject: Subject, url: string, userAgent: string): Promise<Grant>;
  siteCapabilities(subject: Subject, url: string): Capabilities;
  customization(subject: Subject, url: string): Capabilities;
  /** The policy keys of POST /r/policy/query with their values. */
  answers(subject: Subject, url: string): Capabilities;
  /** Whether a person's surrogate may reach a host. */
  mayReach(subject: Subject, destination: { readonly host: string; readonly port: number }): HostVerdict;
  /**
   * A person leaves read-only on a site: what the policy says of its entry gives way for them. False when the policy does not let it be
   * left.
   */
  exitReadOnly(subject: Subject, url: string): boolean;
  /** The policy, what flags say, or what a person has left has changed. Answers with its undo. */
  onChange(listener: () => void): () => void;
}

/** An engine that can be given another policy. */
export interface ReplaceablePolicyEngine extends PolicyEngine {
  /** Decides by this policy from now on. */
  replace(policy: Policy): void;
}

interface PolicyEngineOptions {
  /** Absent: everything as it is by default. */
  readonly policy?: Policy;
  /** Names of the capabilities that plugins are switched by. */
  readonly capabilities: readonly string[];
  /** Where flags come from instead of the policy file. */
  readonly provider?: Provider;
  readonly log: Log;
}

/** How long a person who has left read-only on a site may type there. */
const EXIT_MS = 8 * 60 * 60_000;
const MAX_EXITS = 10_000;
const MAX_STANDING = 10_000;
const REFUSED = 'The policy of your organization does not allow this host.';
const UNKNOWN_TENANT = 'The policy does not know your organization.';

/** Makes an engine. @throws AppError `no-flags` when the provider of flags does not become ready. */
export async function createPolicyEngine(options: PolicyEngineOptions): Promise<ReplaceablePolicyEngine> {
  const own = options.provider ? undefined : new FlagFileProvider(options.policy?.content ?? {});
  return new FilePolicyEngine(options, await openFlags(options.provider ?? (own as Provider)), own); // one of the two is there
}

class FilePolicyEngine implements ReplaceablePolicyEngine {
  readonly #options: PolicyEngineOptions;
  readonly #flags: Flags;
  readonly #own: FlagFileProvider | undefined;
  readonly #listeners = new Set<() => void>();
  /** Who has left read-only where, and until when. */
  readonly #exits = new Map<string, number>();
  #policy: Policy | undefined;
  #hosts = new Map<string, Matches>();
  /** What holds for people whatever the page: asked for with every connection. */
  readonly #standing = new Map<string, Decision>();

  constructor(options: PolicyEngineOptions, flags: Flags, own: FlagFileProvider | undefined) {
    this.#options = options;
    this.#flags = flags;
    this.#own = own;
    this.#policy = options.policy;
    flags.onChange(() => this.#changed());
  }

  replace(policy: Policy): void {
    this.#policy = policy;
    this.#hosts = new Map();
    this.#standing.clear();
    this.#own?.replace(policy.content);
    this.#changed();
  }

  decide(subject: Subject, url?: string): Decision {
    if (url === undefined) return this.#decideStanding(subject);
    const decision = decide(this.#policy, subject, url);
    const key = exitKey(subject, url);
    if (key === undefined || (this.#exits.get(key) ?? 0) < Date.now() || !mayExit(decision)) return decision;
    const { settings } = decision;
    const persistent_policy = { ...settings.persistent_policy, entry_action: 'read_write' } as const;
    return { ...decision, settings: { ...settings, persistent_policy } };
  }

  exitReadOnly(subject: Subject, url: string): boolean {
    const key = exitKey(subject, url);
    if (key === undefined || !mayExit(this.decide(subject, url))) return false;
    this.#exits.delete(key); // the newest last
    this.#exits.set(key, Date.now() + EXIT_MS);
    for (const oldest of this.#exits.keys()) {
      if (this.#exits.size <= MAX_EXITS) break;
      this.#exits.delete(oldest);
    }
    this.#changed();
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
        this.#options.log.error('a flag cannot be evaluated: its capability is off', { flag, reason });
    return { capabilities: clientCapabilities(settings, capabilities, flags), flags };
  }

  siteCapabilities(subject: Subject, url: string): Capabilities {
    return siteCapabilities(this.decide(subject, url).settings);
  }

  customization(subject: Subject, url: string): Capabilities {
    return customizationOf(this.decide(subject, url).settings);
  }

  answers(subject: Subject, url: string): Capabilities {
    return policyAnswers(this.decide(subject, url).settings);
  }

  mayReach(subject: Subject, { host, port }: { readonly host: string; readonly port: number }): HostVerdict {
    const { known, settings } = this.decide(subject);
    if (!known) return { allow: false, message: UNKNOWN_TENANT };
    const { allow, block, message = REFUSED } = settings.egress;
    if (allow.length === 0 && block.length === 0) return { allow: true };
    const url = URL.parse(`http://${host.includes(':') ? `[${host}]` : host}:${port}/`);
    const fits = (pattern: string): boolean => url !== null && this.#host(pattern)(url);
    const isAllowed = url !== null && allow.every((list) => list.some(fits)) && !block.some(fits);
    return isAllowed ? { allow: true } : { allow: false, message };
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #decideStanding({ tenant, subject, groups }: Subject): Decision {
    const key = JSON.stringify([tenant, subject, groups]);
    let decision = this.#standing.get(key);
    if (!decision) {
      if (this.#standing.size >= MAX_STANDING) this.#standing.clear();
      this.#standing.set(key, (decision = decide(this.#policy, { tenant, subject, groups })));
    }
    return decision;
  }

  #host(pattern: string): Matches {
    let matches = this.#hosts.get(pattern);
    if (!matches) this.#hosts.set(pattern, (matches = compilePattern(pattern)));
    return matches;
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

function mayExit({ known, settings }: Decision): boolean {
  return known && settings.persistent_policy.upgrade_action !== 'none';
}

/** Names a person at a site: its host, whatever the page. */
function exitKey({ tenant, subject }: Subject, url: string): string | undefined {
  const host = URL.parse(url)?.host;
  return host ? JSON.stringify([tenant, subject, host]) : undefined;
}
