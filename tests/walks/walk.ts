import { setTimeout as delay } from 'node:timers/promises';
import type { Browser, Page } from 'playwright';
import { PATIENCE_MS } from '../../core/testing/patience.ts';
import { contextOf } from '../fidelity/browser.ts';
import type { Screen } from '../fidelity/browser.ts';
import { ACTION_MS } from '../fidelity/direct.ts';
import { waitForFinal } from '../fidelity/final-state.ts';
import { Camera, compare } from '../fidelity/picture.ts';
import type { Comparison } from '../fidelity/picture.ts';
import { waitForView } from '../fidelity/product.ts';
import { nextAct, nextPress } from './acts.ts';

const SETTLE_MS = 3000;
/** Time in which the view must show what the page shows, in ms: an animation, or a slow line, is no difference. */
const LATE_MS = 10_000;
/** Pixels that may differ: the edge of a letter in a line that is still moving. */
const TOLERATED = 150;

/** A row of the tray of transfers, which lies over the page. */
const TRANSFER = '[data-vitrine-transfer]';

/** A page on which the same acts are done directly and through the product, and what is shown compared after each. */
interface Walk {
  /** The page's own address. */
  readonly url: string;
  /** Whether it says when it is final. */
  readonly signalled: boolean;
  /** Acts at most; a page that leads elsewhere, or a file, ends it. */
  readonly steps: number;
  /** Whether by the keyboard alone. */
  readonly keyboard: boolean;
  /** Returns numbers from 0 to 1. */
  readonly random: () => number;
}

/** The end of a walk: the acts, and the pictures where the last one led to different ones. */
export interface Walked {
  readonly acts: readonly string[];
  readonly difference?: Comparison & { readonly direct: Buffer; readonly through: Buffer };
}

/** Walks on one page. `origin`: that of the host. Throws where the page cannot be opened. */
export async function walk(browser: Browser, screen: Screen, origin: string, options: Walk): Promise<Walked> {
  const { url, signalled, steps, random } = options;
  const draw = options.keyboard ? nextPress : nextAct;
  await using stack = new AsyncDisposableStack();
  const open = async (): Promise<Page> => {
    const context = stack.adopt(await browser.newContext(contextOf(screen)), (each) => each.close());
    return context.newPage();
  };
  const [direct, shell] = [await open(), await open()];
  await direct.goto(url);
  await waitForFinal(direct, signalled);
  await shell.goto(`${origin}/${url}`, { waitUntil: 'domcontentloaded' });
  const end = performance.now() + PATIENCE_MS;
  await waitForView(shell, signalled, [], (name) => {
    if (performance.now() > end) throw new Error(`${PATIENCE_MS / 1000} s passed: ${name}`);
  });
  const cameras = { direct: await Camera.on(direct, screen), through: await Camera.on(shell, screen) };
  const acts: string[] = [];
  for (;;) {
    const isLeft = direct.url().replace(/#.*/, '') !== url;
    if (isLeft || (await shell.locator(TRANSFER).count()) > 0) return { acts };
    const difference = await differenceOf(cameras);
    if (difference) return { acts, difference };
    if (acts.length === steps) return { acts };
    const next = await draw(direct, random);
    acts.push(next.title);
    for (const page of [direct, shell]) await next.run(page);
    await delay(ACTION_MS);
  }
}

/** The smallest difference within the time that the view has; undefined where it is tolerated. */
async function differenceOf({ direct, through }: Record<'direct' | 'through', Camera>): Promise<Walked['difference']> {
  const end = performance.now() + LATE_MS;
  let least: Walked['difference'];
  do {
    const pictures = { direct: (await direct.settle(SETTLE_MS)).picture, through: await through.shoot() };
    const found = compare(pictures.direct, pictures.through);
    if (found.differing <= TOLERATED) return undefined;
    if (!least || found.differing < least.differing) least = { ...found, ...pictures };
  } while (performance.now() < end);
  return least;
}
