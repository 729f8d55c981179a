import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright';

/** A page with a field. With `mode=answer` its script answers each key, with `mode=busy` while 1,000 nodes a second change. */
export const TYPING_PAGE = 'bench/pages/typing.html';
const TEXT = 'the quick brown fox jumps over the lazy dog';
const WARM_UP = 'echo ';
/** Middle of the field, in CSS pixels from the page's corner. */
const FIELD = [200, 150] as const;

/** Effect of a key: the character in the field, the answer of the page's script, or any change of a picture of the field. */
export type Effect = 'character' | 'answer' | 'picture';

/** Where and how somebody types. */
interface TypingOptions {
  /** Selector of the frame that shows the page; undefined where the tab itself does. */
  readonly frame?: string;
  /** Of the network between person and host, in ms. */
  readonly roundTrip: number;
  readonly effect: Effect;
}

/**
 * Types into the field of {@link TYPING_PAGE} with a pause between keys, so that each effect is one of one key.
 *
 * @returns times from key to effect, in ms
 */
export async function echoes(tab: Page, { frame, roundTrip, effect }: TypingOptions): Promise<number[]> {
  await tab.mouse.click(...FIELD);
  await delay(500 + 4 * roundTrip);
  if (effect === 'picture') await tab.evaluate(observePicture);
  else await tab.evaluate(observe, { frame, effect });
  for (const key of WARM_UP + TEXT) {
    await tab.keyboard.press(key === ' ' ? 'Space' : key);
    await delay(60 + 2 * roundTrip);
  }
  await delay(500 + 2 * roundTrip);
  const taken = await tab.evaluate(() => (window as Echoing).vitrineEchoes ?? []);
  const seen = effect === 'picture' ? TEXT.replaceAll(' ', '') : TEXT; // a space changes no picture
  if (taken.length < seen.length) throw new Error(`only ${taken.length} of ${seen.length} keys had an effect`);
  return taken.slice(-seen.length);
}

interface Echoing extends Window {
  vitrineEchoes?: number[];
}

/** Runs in the tab: takes the time of each key that the field, or the page's script, has not answered yet. */
function observe({ frame, effect }: { readonly frame: string | undefined; readonly effect: Effect }): void {
  const view = frame === undefined ? document : document.querySelector<HTMLIFrameElement>(frame)?.contentDocument;
  const area = view?.querySelector('textarea');
  if (!view || !area) throw new Error('There is no field.');
  const echoes: number[] = ((window as Echoing).vitrineEchoes = []);
  const waiting: { readonly at: number; readonly length: number }[] = [];
  const shown = (): number =>
    effect === 'character' ? area.value.length : Number(view.querySelector('output')?.textContent);
  let expected = area.value.length;
  view.addEventListener('keydown', () => waiting.push({ at: performance.now(), length: ++expected }), true);
  const look = (): void => {
    for (let key = waiting[0]; key && shown() >= key.length; key = waiting[0]) {
      echoes.push(performance.now() - key.at);
      waiting.shift();
    }
    requestAnimationFrame(look);
  };
  look();
}

/** Runs in the tab, which shows the page as a picture in a canvas: takes the time from each key to the next change of the field's picture. */
function observePicture(): void {
  const canvas = document.querySelector('canvas');
  const pixels = canvas?.getContext('2d');
  if (!pixels) throw new Error('There is no picture.');
  const echoes: number[] = ((window as Echoing).vitrineEchoes = []);
  const now = (): number =>
    new Uint32Array(pixels.getImageData(22, 62, 400, 40).data.buffer).reduce(
      (hash, pixel) => (hash * 31 + pixel) | 0,
      0,
    );
  let last = now();
  let at: number | undefined;
  addEventListener('keydown', () => (at = performance.now()), true);
  const look = (): void => {
    const picture = now();
    if (picture !== last && at !== undefined) {
      echoes.push(performance.now() - at);
      at = undefined;
    }
    last = picture;
    requestAnimationFrame(look);
  };
  look();
}
