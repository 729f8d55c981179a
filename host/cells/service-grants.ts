import type { Capabilities } from '../policy/capabilities.ts';

/** Addresses of a person that are remembered; the oldest makes room. More than the tabs that one may have. */
const MAX_ADDRESSES = 50;

interface ServiceGrantsOptions {
  /** The capabilities of the person of a cell on a page. */
  readonly grant: (url: string, userAgent: string) => Promise<Capabilities>;
  /** Names of the services that capabilities switch on. */
  readonly namesFor: (capabilities: Capabilities) => ReadonlySet<string>;
}

interface Granted {
  readonly url: string;
  readonly userAgent: string;
  /** Undefined once the policy has changed. */
  names: Promise<ReadonlySet<string>> | undefined;
}

/** The services that a cell may call: those of plugins that its person has on a page which the cell has asked the policy about. */
export class ServiceGrants {
  readonly #options: ServiceGrantsOptions;
  readonly #granted = new Map<string, Granted>();
  #changes = 0;

  constructor(options: ServiceGrantsOptions) {
    this.#options = options;
  }

  /** Number of changes of the policy so far. */
  get changes(): number {
    return this.#changes;
  }

  /** The cell is sent these capabilities for a page. `changes`: as it was when the policy was asked for them, which may have changed since. */
  note(url: string, userAgent: string, capabilities: Capabilities, changes = this.#changes): void {
    const key = JSON.stringify([url, userAgent]);
    this.#granted.delete(key);
    const names = changes === this.#changes ? Promise.resolve(this.#options.namesFor(capabilities)) : undefined;
    this.#granted.set(key, { url, userAgent, names });
    if (this.#granted.size > MAX_ADDRESSES) this.#granted.delete(this.#granted.keys().next().value as string); // not empty
  }

  /** The policy has changed: what was granted is looked up again. */
  changed(): void {
    this.#changes += 1;
    for (const granted of this.#granted.values()) granted.names = undefined;
  }

  /** Whether the cell may call a service. Rejects as `grant` does. */
  async has(service: string): Promise<boolean> {
    for (const granted of [...this.#granted.values()].reverse()) {
      const { url, userAgent } = granted;
      granted.names ??= this.#options.grant(url, userAgent).then(this.#options.namesFor);
      const { names } = granted;
      try {
        if ((await names).has(service)) return true;
      } catch (thrown) {
        if (granted.names === names) granted.names = undefined;
        throw thrown;
      }
    }
    return false;
  }
}
