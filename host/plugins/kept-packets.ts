import { KeptMessages } from '../../core/plugins/kept-messages.ts';
import type { Packet } from '../../core/protocol/endpoint.ts';

/** Messages for host halves that are still being activated: page and client go on meanwhile. */
export class KeptPackets {
  readonly #waiting = new Set<string>();
  readonly #kept = new KeptMessages<() => void>();

  /** From now on messages of a plugin that nobody handles are kept. */
  begin(owner: string): void {
    this.#waiting.add(owner);
  }

  /** True when the packet is kept, to be received `again`; false for plugins that nobody waits for, and past the bound. */
  keep(owner: string | undefined, packet: Packet, again: () => void): boolean {
    return owner !== undefined && this.#waiting.has(owner) && this.#kept.keep(owner, packet, again);
  }

  /** The plugin handles one more message: what is kept is received again, in order, before anything that comes later. */
  handled(owner: string): void {
    if (this.#waiting.has(owner)) queueMicrotask(() => this.#receive(owner));
  }

  /** The plugin is active, or never will be: what is still kept is received, and nothing is kept any more. */
  end(owner: string): void {
    this.#waiting.delete(owner);
    this.#receive(owner);
  }

  /** The plugin is over: what is kept is for nobody. */
  drop(owner: string): void {
    this.#waiting.delete(owner);
    this.#kept.take(owner);
  }

  #receive(owner: string): void {
    for (const again of this.#kept.take(owner)) again();
  }
}
