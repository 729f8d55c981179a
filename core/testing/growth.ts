/** Number of measurements. */
const TIMES = 4;

/**
 * Returns how much more the large input costs than the small one: the smallest ratio of several measurements. A busy machine, or memory
 * that is collected meanwhile, makes single ones larger; work that grows with the square makes all of them larger.
 */
export function leastGrowth(small: () => number, large: () => number): number {
  return Math.min(...Array.from({ length: TIMES }, () => large() / small()));
}
