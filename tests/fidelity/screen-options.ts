import type { Screen } from './browser.ts';

/** The host's limits for what people's browsers report: beyond them the surrogate would lay out another page. */
const RATIOS = { least: 0.25, most: 5 } as const;
const SIDE_MOST = 8192;

type Given = Omit<Screen, 'ratio' | 'viewport'> & { readonly ratio: string; readonly viewport: string };

/** Reads the options `--ratio` and `--viewport`. Throws an error that names the option for anything else than a screen. */
export function readScreen(given: Given): Screen {
  const ratio = /^\d+(\.\d+)?$/.test(given.ratio) ? Number(given.ratio) : NaN;
  if (!(ratio >= RATIOS.least && ratio <= RATIOS.most))
    throw new Error(`--ratio wants a number from ${RATIOS.least} to ${RATIOS.most}, not "${given.ratio}".`);
  const [width = 0, height = 0] = /^\d+x\d+$/.test(given.viewport) ? given.viewport.split('x').map(Number) : [];
  if (Math.min(width, height) < 1 || Math.max(width, height) > SIDE_MOST)
    throw new Error(
      `--viewport wants WIDTHxHEIGHT with sides from 1 to ${SIDE_MOST} CSS pixels, not "${given.viewport}".`,
    );
  return { viewport: { width, height }, ratio, scrollbars: given.scrollbars, headed: given.headed };
}
