import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright';

/** A page with a field. */
export const TYPING_PAGE = 'bench/pages/typing.html';
const TEXT = 'the quick brown fox jumps over the lazy dog';
const WARM_UP = 'echo ';

/**
 * Types into the field of {@link TYPING_PAGE} with a pause between keys, so that each echo is one of one key.
 *
 * @param frame selector of the frame that shows the page; undefined where the tab itself does
 * @param roundTrip of the network between person and host, in ms
 * @returns times from key to character, in ms
 */
export async function echoes(tab: Page, frame: string | undefined, roundTrip: number): Promise<number[]> {
  await tab.mouse.click(200, 150);
  await delay(500 + 4 * roundTrip);
  await tab.evaluate(observe, frame);
  for (const key of WARM_UP + TEXT) {
    await tab.keyboard.press(key === ' ' ? 'Space' : key);
    await delay(60 + 2 * roundTrip);
  }
  await delay(500 + 2 * roundTrip);
  const taken = await tab.evaluate(() => (window as Echoing).vitrineEchoes ?? []);
  if (taken.length < TEXT.length) throw new Error(`only ${taken.length} of ${TEXT.length} keys were echoed`);
  return taken.slice(-TEXT.length);
}

interface Echoing extends Window {
  vitrineEchoes?: number[];
}

/** Runs in the tab: takes the time of each key that the field has not answered yet. */
function observe(frame: string | undefined): void {
  const view = frame === undefined ? document : document.querySelector<HTMLIFrameElement>(frame)?.contentDocument;
  const area = view?.querySelector('textarea');
  if (!view || !area) throw new Error('There is no field.');
  const echoes: number[] = ((window as Echoing).vitrineEchoes = []);
  const waiting: { readonly at: number; readonly length: number }[] = [];
  let expected = area.value.length;
  view.addEventListener('keydown', () => waiting.push({ at: performance.now(), length: ++expected }), true);
  const look = (): void => {
    for (let key = waiting[0]; key && area.value.length >= key.length; key = waiting[0]) {
      echoes.push(performance.now() - key.at);
      waiting.shift();
    }
    requestAnimationFrame(look);
  };
  look();
}
