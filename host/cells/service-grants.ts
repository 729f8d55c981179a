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

  constructor(options: ServiceGrantsOptions) {
    this.#options = options;
  }

  /** The cell has been sent these capabilities for a page. */
  note(url: string, userAgent: string, capabilities: Capabilities): void {
    const key = JSON.stringify([url, userAgent]);
    this.#granted.delete(key);
    this.#granted.set(key, { url, userAgent, names: Promise.resolve(this.#options.namesFor(capabilities)) });
    if (this.#granted.size > MAX_ADDRESSES) this.#granted.delete(this.#granted.keys().next().value as string); // not empty
  }

  /** The policy has changed: what was granted is looked up again. */
  changed(): void {
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
