/** Returns the indices of a longest strictly increasing subsequence of distinct numbers, in order. O(n log n). */
export function longestIncreasing(values: readonly number[]): number[] {
  /** ends[k]: index of the smallest value that ends an increasing run of k + 1. */
  const ends: number[] = [];
  const previous = new Int32Array(values.length);
  for (const [index, value] of values.entries()) {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const mid = (low + high) >> 1;
      if ((values[ends[mid] as number] as number) < value) low = mid + 1;
      else high = mid;
    }
    previous[index] = low > 0 ? (ends[low - 1] as number) : -1;
    ends[low] = index;
  }
  const result = new Array<number>(ends.length);
  for (let at = ends.at(-1) ?? -1, k = ends.length - 1; k >= 0; k--) {
    result[k] = at;
    at = previous[at] as number;
  }
  return result;
}
