/** Changes of ports wait so long for others, in ms: a cell that reports new ones all the time costs the others little. */
const AFTER_MS = 10;

/** Ports that no surrogate may reach: the host's own, and those of the egress proxies of all cells. Tells all cells of changes. */
export class PortNews<C extends { readonly ports: readonly number[]; refusePorts(ports: readonly number[]): void }> {
  readonly #cells: ReadonlySet<C>;
  readonly #own: number[];
  #timer: NodeJS.Timeout | undefined;

  constructor(cells: ReadonlySet<C>, own: readonly number[]) {
    this.#cells = cells;
    this.#own = [...own];
  }

  get all(): number[] {
    return [...new Set([...this.#own, ...[...this.#cells].flatMap(({ ports }) => ports)])];
  }

  /** The host listens on another port. */
  addOwn(port: number): void {
    this.#own.push(port);
    this.changed();
  }

  /** Tells all cells, once for all changes within {@link AFTER_MS}. */
  changed(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const { all } = this;
      for (const cell of this.#cells) cell.refusePorts(all);
    }, AFTER_MS).unref();
  }
}
