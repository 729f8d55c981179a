/** Shortest run that is measured, in ms of processor time: shorter ones are mostly compilation and garbage collection. */
const MEASURABLE_MS = 8;
/** Size to begin with and largest, in units; what is too fast to measure at the largest grows with nothing. */
const SMALLEST = 4096;
const LARGEST = 2 * 1024 * 1024;
/** Most attempts of one size, and most sizes: what grows with its square does so at any. */
const TIMES = 4;
const SIZES = 3;

/** Something to measure: `input` is of about so many units, made before the clock runs. */
interface Measured<T> {
  readonly input: (units: number) => T;
  readonly run: (input: T) => unknown;
}

/**
 * How many times as much processor time something takes for four times as much: about 4 where time grows with size, 16 where it grows with its
 * square. Measured again, at larger sizes too, until it is less than `most`; of all runs of a size the shortest count.
 */
export function growth<T>(measured: Measured<T>, most: number): number {
  const { input, run } = measured;
  let units = SMALLEST;
  for (;;) {
    const made = input(units);
    if (Math.min(time(run, made), time(run, made)) >= MEASURABLE_MS) break;
    units *= 2;
    if (units > LARGEST) return 1;
  }
  let ratio = Infinity;
  for (let size = 0; size < SIZES && ratio >= most; size++) ratio = growthAt(measured, most, units << size);
  return ratio;
}

function growthAt<T>({ input, run }: Measured<T>, most: number, units: number): number {
  const small = input(units);
  const large = input(units * 4);
  let [less, more] = [time(run, small), time(run, large)];
  for (let again = 1; again < TIMES && more / less >= most; again++) {
    less = Math.min(less, time(run, small));
    more = Math.min(more, time(run, large));
  }
  return more / less;
}

/** Processor time of this thread, in ms: what else the machine does does not count. */
function time<T>(run: (input: T) => unknown, input: T): number {
  const begun = process.threadCpuUsage();
  run(input);
  const { user, system } = process.threadCpuUsage(begun);
  return (user + system) / 1000;
}
