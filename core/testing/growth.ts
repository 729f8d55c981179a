/** Shortest run that is measured, in ms of processor time: shorter ones are mostly compilation and garbage collection. */
const MEASURABLE_MS = 3;
/** Initial and largest size, in units; functions too fast to measure at the largest size have no growth. */
const SMALLEST = 4096;
const LARGEST = 2 * 1024 * 1024;
/** Maximum number of attempts at one size, and of sizes: quadratic growth shows at any size. */
const TIMES = 4;
const SIZES = 3;

/** A function to measure: `input` has about the given length, and is made before the clock runs. */
interface Measured<T> {
  readonly input: (units: number) => T;
  readonly run: (input: T) => unknown;
}

/**
 * Returns the ratio of processor times for a fourfold input: about 4 for linear time, 16 for quadratic time. Measured again, at larger
 * sizes too, until it is less than `most`; the shortest run of each size counts.
 */
export function growth<T>(measured: Measured<T>, most: number): number {
  const { input, run } = measured;
  let units = SMALLEST;
  for (;;) {
    const made = input(units);
    if (Math.min(processorMs(run, made), processorMs(run, made)) >= MEASURABLE_MS) break;
    units *= 2;
    if (units > LARGEST) return 1;
  }
  let ratio = Infinity;
  for (let size = 0; size < SIZES && ratio >= most; size++)
    ratio = growthBetween(measured, most, [units << size, units << (size + 2)]);
  return ratio;
}

/** Like {@link growth}, between the two given sizes. A run shorter than what can be measured counts as that long. */
export function growthBetween<T>({ input, run }: Measured<T>, most: number, sizes: readonly [number, number]): number {
  const [small, large] = [input(sizes[0]), input(sizes[1])];
  let [less, more] = [Infinity, Infinity];
  let ratio = Infinity;
  for (let again = 0; again < TIMES && ratio >= most; again++) {
    less = Math.min(less, processorMs(run, small));
    more = Math.min(more, processorMs(run, large));
    ratio = more / Math.max(less, MEASURABLE_MS);
  }
  return ratio;
}

/**
 * Like {@link growthBetween}, for functions that wait; measured again at larger sizes, too, as a small input may fit into the caches of the
 * processor. The processor time of the whole process counts: nothing else may run in it.
 */
export async function asyncGrowthBetween<T>(
  { input, run }: { readonly input: (units: number) => T; readonly run: (input: T) => Promise<unknown> },
  most: number,
  sizes: readonly [number, number],
): Promise<number> {
  const processMs = async (made: T): Promise<number> => {
    const begun = process.cpuUsage();
    await run(made);
    const { user, system } = process.cpuUsage(begun);
    return (user + system) / 1000;
  };
  let ratio = Infinity;
  for (let size = 0; size < SIZES && ratio >= most; size++) {
    const [less, more] = [sizes[0] << size, sizes[1] << size];
    const [small, large] = [input(less), input(more)];
    ratio = await costGrowth((units) => processMs(units === less ? small : large), most, [less, more]);
  }
  return ratio;
}

/** Like {@link growthBetween}, of costs that the caller measures: in ms of processor time, for a size. */
export async function costGrowth(
  cost: (size: number) => Promise<number>,
  most: number,
  sizes: readonly [number, number],
): Promise<number> {
  let [less, more] = [Infinity, Infinity];
  let ratio = Infinity;
  for (let again = 0; again < TIMES && ratio >= most; again++) {
    less = Math.min(less, await cost(sizes[0]), await cost(sizes[0]));
    more = Math.min(more, await cost(sizes[1]));
    ratio = more / Math.max(less, MEASURABLE_MS);
  }
  return ratio;
}

/**
 * Returns the processor time of a call in this thread, in ms: unaffected by other work of the machine. User and system time count together:
 * the kernel estimates how they share the time from its ticks.
 */
export function processorMs<T>(run: (input: T) => unknown, input: T): number {
  const begun = process.threadCpuUsage();
  run(input);
  const { user, system } = process.threadCpuUsage(begun);
  return (user + system) / 1000;
}
