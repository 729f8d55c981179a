import type { Packet } from '../../core/protocol/endpoint.ts';

/** What is kept for one plugin, in messages and in UTF-16 units of their JSON. */
const MAX_MESSAGES = 200;
const MAX_UNITS = 1024 * 1024;

interface Kept {
  again: (() => void)[];
  units: number;
}

/** Messages for host halves that are still being activated: page and client go on meanwhile. */
export class KeptPackets {
  readonly #byOwner = new Map<string, Kept>();

  /** From now on messages of a plugin that nobody handles are kept. */
  begin(owner: string): void {
    this.#byOwner.set(owner, { again: [], units: 0 });
  }

  /** True when the packet is kept, to be received `again`; false for plugins that nobody waits for, and past the bound. */
  keep(owner: string | undefined, packet: Packet, again: () => void): boolean {
    const kept = this.#byOwner.get(owner ?? '');
    if (!kept || kept.again.length >= MAX_MESSAGES) return false;
    const units = JSON.stringify(packet).length;
    if (kept.units + units > MAX_UNITS) return false;
    kept.again.push(again);
    kept.units += units;
    return true;
  }

  /** The plugin handles one more message: what is kept is received again, in order, before anything that comes later. */
  handled(owner: string): void {
    if (this.#byOwner.has(owner)) queueMicrotask(() => this.#receive(owner));
  }

  /** The plugin is active, or never will be: what is still kept is received, and nothing is kept any more. */
  end(owner: string): void {
    const kept = this.#byOwner.get(owner);
    this.#byOwner.delete(owner);
    for (const again of kept?.again ?? []) again();
  }

  /** The plugin is over: what is kept is for nobody. */
  drop(owner: string): void {
    this.#byOwner.delete(owner);
  }

  #receive(owner: string): void {
    const kept = this.#byOwner.get(owner);
    if (!kept) return;
    const { again } = kept;
    kept.again = [];
    kept.units = 0;
    for (const each of again) each();
  }
}
