import { expect, it } from 'vitest';
import { MEASURES, Meter } from '../client/meter.ts';

const START = {
  ...{ time: 5000, frames: 100, bytes: 10_000, surrogateFps: 12 },
  ...{ commits: 40, mutations: 300, drawingMs: 70, queued: 1, nodes: 10, canvasBytes: 0 },
};

it('[R-014] shows rates by the second, kB and MB, and the time that drawing takes of a frame', () => {
  const meter = new Meter();
  meter.take(START);
  const values = meter.take({
    ...{ time: 5500, frames: 120, bytes: 35_000, surrogateFps: 30 },
    ...{ commits: 45, mutations: 350, drawingMs: 80, queued: 2, nodes: 25, canvasBytes: 1_500_000 },
  });
  expect(Object.fromEntries(MEASURES.map(({ name }, at) => [name, values[at]]))).toEqual({
    'Commits/s': 10,
    'Frames/s': 40,
    'Surrogate frames/s': 30,
    'Commit queue': 2,
    'Data, kB/s': 50,
    'Canvases, MB': 1.5,
    Nodes: 25,
    'Mutations/s': 100,
    'Drawing, ms/frame': 0.5,
  });
});

it('[R-014] covers the last second with its rates, and has none before it has two samples', () => {
  const meter = new Meter();
  const dataAt = (tenths: number, bytes: number): number | undefined =>
    meter.take({ ...START, time: 5000 + 100 * tenths, bytes })[4];
  expect(dataAt(0, 0)).toBe(0);
  const fast = Array.from({ length: 5 }, (_each, at) => dataAt(at + 1, 1000 * (at + 1)));
  expect(fast).toEqual([10, 10, 10, 10, 10]);
  const rates = Array.from({ length: 10 }, (_each, at) => dataAt(at + 6, 5000));
  expect(rates.slice(4)).toEqual([5, 4, 3, 2, 1, 0]);
});
