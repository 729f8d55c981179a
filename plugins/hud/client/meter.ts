import type { Readings } from '../../../core/index.ts';

/** Values read at one time. Counters only increase. */
interface Sample extends Readings {
  /** Time in ms. */
  readonly time: number;
  /** Number of frames drawn by the person's browser. */
  readonly frames: number;
  /** Number of bytes received over the channel. */
  readonly bytes: number;
  /** Last reported frame rate of the surrogate. */
  readonly surrogateFps: number;
}

/** A graph: its name, and a function of two samples, the second one later. */
interface Measure {
  readonly name: string;
  value(before: Sample, now: Sample): number;
}

type Counted = 'commits' | 'frames' | 'bytes' | 'mutations' | 'drawingMs';

const perSecond =
  (count: Counted, unit = 1) =>
  (before: Sample, now: Sample): number =>
    now.time > before.time ? ((now[count] - before[count]) * 1000) / (now.time - before.time) / unit : 0;

/** The graphs of the HUD. */
export const MEASURES: readonly Measure[] = [
  { name: 'Commits/s', value: perSecond('commits') },
  { name: 'Frames/s', value: perSecond('frames') },
  { name: 'Surrogate frames/s', value: (_before, { surrogateFps }) => surrogateFps },
  { name: 'Commit queue', value: (_before, { queued }) => queued },
  { name: 'Data, kB/s', value: perSecond('bytes', 1000) },
  { name: 'Canvases, MB', value: (_before, { canvasBytes }) => canvasBytes / 1e6 },
  { name: 'Nodes', value: (_before, { nodes }) => nodes },
  { name: 'Mutations/s', value: perSecond('mutations') },
  {
    name: 'Drawing, ms/frame',
    value: (before, now) => (now.drawingMs - before.drawingMs) / Math.max(1, now.frames - before.frames),
  },
];

/** Rates cover this number of samples: a column of 100 ms alone would flicker. */
const WINDOW = 10;

/** Converts samples to the values of all graphs. */
export class Meter {
  readonly #samples: Sample[] = [];

  /** Returns the current values, in the order of {@link MEASURES}. */
  take(sample: Sample): number[] {
    const samples = this.#samples;
    samples.push(sample);
    if (samples.length > WINDOW + 1) samples.shift();
    const before = samples[0] ?? sample;
    return MEASURES.map(({ value }) => value(before, sample));
  }
}
