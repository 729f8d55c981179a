const STATE = /:state\(\s*([^\s()]+)\s*\)/g;
/** Maximum number of names that are tried on each element. */
const MOST = 100;

/** Names of custom states that style sheets use. */
export class StateNames {
  readonly #names = new Set<string>();
  #list: readonly string[] = [];

  /** Collects the names that a sheet's text uses. */
  learn(css: string): void {
    if (!css.includes(':state(')) return;
    for (const [, name] of css.matchAll(STATE)) {
      if (name === undefined || this.#names.size >= MOST || !CSS.supports(`selector(:state(${name}))`)) continue;
      this.#names.add(name);
    }
    this.#list = [...this.#names];
  }

  all(): readonly string[] {
    return this.#list;
  }
}
