/** Whether this is the long run (`npm run test:long`), in which heavy suites take all of their cases. */
export const IS_LONG = Boolean(process.env['VITRINE_LONG']);

/** `count` of all, the same for the same seed, in their order. */
function sampleOf<T>(all: readonly T[], count: number, seed: number): T[] {
  let state = seed;
  const random = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const order = all.map((_, index) => ({ index, key: random() })).sort((a, b) => a.key - b.key);
  const chosen = new Set(order.slice(0, count).map(({ index }) => index));
  return all.filter((_, index) => chosen.has(index));
}

/** All cases in the long run, else a sample of so many, the same each time. */
export const sampled = <T>(all: readonly T[], count: number, seed = 1): readonly T[] =>
  IS_LONG ? all : sampleOf(all, count, seed);

/** Details of an end-to-end test that only the long run has, where that is so. */
export const tagged = (isLong: boolean): { readonly tag?: string } => (isLong ? { tag: '@long' } : {});
