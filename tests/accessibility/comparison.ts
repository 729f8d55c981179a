import { setTimeout as delay } from 'node:timers/promises';
import type { BrowserContext, Page } from 'playwright';
import { readView } from '../fidelity/final-state.ts';
import { AccessibilityReader } from './tree.ts';
import { PATIENCE_MS } from '../../core/testing/patience.ts';

const POLL_MS = 150;
const OPEN_MS = PATIENCE_MS;
/** Timeout for the trees to become equal once the page is final, in ms: state that script sets silently is polled. */
const AGREE_MS = PATIENCE_MS / 3;
/** Timeout for one press of Tab to take effect, in ms. */
const TAB_MS = PATIENCE_MS / 3;

/** A known difference: lines of the page alone, or of the product's view alone, and the reason. */
export interface Gap {
  readonly page: RegExp;
  readonly direct?: RegExp;
  readonly shown?: RegExp;
  readonly reason: string;
}

/** A page opened directly and through the product, in one browser. */
export class Pair {
  readonly direct: Page;
  readonly shell: Page;
  readonly #ofDirect: AccessibilityReader;
  readonly #ofShown: AccessibilityReader;

  private constructor(direct: Page, shell: Page, ofDirect: AccessibilityReader, ofShown: AccessibilityReader) {
    this.direct = direct;
    this.shell = shell;
    this.#ofDirect = ofDirect;
    this.#ofShown = ofShown;
  }

  /**
   * Opens both, in windows of their own, and waits until both are final, which the page marks by `data-ready="1"` on
   * its root. The caller closes the pair.
   */
  static async open(
    { direct: alone, person }: Readonly<Record<'direct' | 'person', BrowserContext>>,
    product: string,
    url: string,
  ): Promise<Pair> {
    const [direct, shell] = [await alone.newPage(), await person.newPage()];
    await Promise.all([
      direct
        .goto(url)
        .then(() => direct.waitForSelector(':root[data-ready="1"]', { state: 'attached', timeout: OPEN_MS })),
      shell.goto(`${product}/${url}`).then(() => final(shell)),
    ]);
    return new Pair(direct, shell, await AccessibilityReader.on(direct), await AccessibilityReader.on(shell));
  }

  /** Differences between the two trees without known gaps: lines with `-` are of the page, with `+` of the view. */
  async differences(gaps: readonly Gap[]): Promise<string[]> {
    const until = performance.now() + AGREE_MS;
    for (;;) {
      const [direct, shown] = await Promise.all([this.#ofDirect.lines(false), this.#ofShown.lines(true)]);
      const differences = differing(
        direct.filter((line) => !gaps.some((gap) => gap.direct?.test(line))),
        shown.filter((line) => !gaps.some((gap) => gap.shown?.test(line))),
      );
      const unused = gaps.filter(
        ({ direct: d, shown: s }) => !(d ? direct : shown).some((line) => (d ?? s)?.test(line)),
      );
      if (direct.length < 2) throw new Error(`the page itself has ${direct.length} lines`);
      if (differences.length === 0) return unused.map(({ reason }) => `a known gap is none any more: ${reason}`);
      if (performance.now() > until) return differences;
      await delay(POLL_MS);
    }
  }

  /**
   * Presses Tab in both, `count` times; resolves with the first step at which the focus differs, and the number of
   * steps.
   */
  async walk(count: number): Promise<{ readonly places: readonly string[]; readonly fault?: string }> {
    const places: string[] = [];
    for (let step = 1; step <= count; step++) {
      await this.direct.bringToFront();
      await this.direct.keyboard.press('Tab');
      const wanted = await this.#ofDirect.focused(false);
      await this.shell.bringToFront();
      await this.shell.keyboard.press('Tab');
      const until = performance.now() + TAB_MS;
      let found = await this.#ofShown.focused(true);
      while (found !== wanted && performance.now() < until) {
        await delay(POLL_MS / 3);
        found = await this.#ofShown.focused(true);
      }
      if (found !== wanted)
        return { places, fault: `press ${step}: ${wanted} has the focus, ${found || 'nothing'} is shown` };
      places.push(wanted);
    }
    return { places };
  }

  async close(): Promise<void> {
    await Promise.all([this.direct.close(), this.shell.close()]);
  }
}

async function final(shell: Page): Promise<void> {
  const until = performance.now() + OPEN_MS;
  for (;;) {
    const { state, final: isFinal, message } = await readView(shell, true);
    if (state === 'ready' && isFinal) return;
    if (state === 'error' || performance.now() > until) throw new Error(`the shell is in state ${state}: ${message}`);
    await delay(POLL_MS);
  }
}

/** Lines that are not in a longest common subsequence. */
function differing(a: readonly string[], b: readonly string[]): string[] {
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
  const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      (lengths[i] as Uint32Array)[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1)); // of the rows above
  const found: string[] = [];
  for (let i = 0, j = 0; i < a.length || j < b.length;)
    if (i < a.length && j < b.length && a[i] === b[j]) [i, j] = [i + 1, j + 1];
    else if (j >= b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1))) found.push(`- ${a[i++] ?? ''}`);
    else found.push(`+ ${b[j++] ?? ''}`);
  return found;
}
