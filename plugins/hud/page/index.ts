import type { ActivatePage } from '../../../core/page.ts';
import { countFrames } from '../protocol.ts';

const SECOND_MS = 1000;
const MOST = 1000;

/** Counts the frames of one second on request, because requesting frames has a cost for the page. */
export const activate: ActivatePage = ({ commands }) => {
  let counting: Promise<{ readonly perSecond: number }> | undefined;

  const count = (): Promise<{ readonly perSecond: number }> =>
    new Promise((resolve) => {
      const since = performance.now();
      let frames = 0;
      const frame = (now: number): void => {
        frames += 1;
        if (now - since < SECOND_MS) {
          requestAnimationFrame(frame);
          return;
        }
        counting = undefined;
        resolve({ perSecond: Math.min(MOST, (frames * SECOND_MS) / (now - since)) });
      };
      requestAnimationFrame(frame);
    });
  commands.handle(countFrames, () => (counting ??= count()));
};
