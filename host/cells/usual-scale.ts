/** Number of people whose screens count, the last ones. */
const MEMORY = 32;
/** Scales of screens are multiples of it; others come from zoomed browsers, which their persons zoom otherwise at the next site. */
const STEP = 0.25;

/** The scale that most of the last people's screens have: browsers are started with it before their person is known. */
export class UsualScale {
  #last: number[] = [];

  learn(scale: number): void {
    if (scale % STEP === 0) this.#last = [...this.#last, scale].slice(-MEMORY);
  }

  /** Of several that are as frequent, the one that came last; 1 as long as there is none. */
  get usual(): number {
    const counts = new Map<number, number>();
    let usual = 1;
    for (const scale of this.#last) {
      const count = (counts.get(scale) ?? 0) + 1;
      counts.set(scale, count);
      if (count >= (counts.get(usual) ?? 0)) usual = scale;
    }
    return usual;
  }
}
