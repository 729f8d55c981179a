import { setTimeout as delay } from 'node:timers/promises';
import type { Browser, BrowserContext, Page } from 'playwright';
import { act, restPointer } from './actions.ts';
import { contextOf } from './browser.ts';
import type { Screen } from './browser.ts';
import type { CorpusPage } from './corpus.ts';
import { onPage } from './deadline.ts';
import type { Step } from './deadline.ts';
import { ACTION_MS } from './direct.ts';
import { readView } from './final-state.ts';
import { Camera, compare } from './picture.ts';
import type { Shown, Subject } from './subject.ts';

const POLL_MS = 50;
/**
 * Delay after which a mirror without the page's mark of being final is checked all the same, in ms from the shell being
 * ready.
 */
const MARK_MS = 20_000;
const SETTLE_MS = 4_000;
/** Delay before the second check, in ms. */
const AGAIN_MS = 800;
/** Longest time in which a picture that differs is taken again, in ms: what comes late is no difference. */
const LATE_MS = 30_000;

/** Shows pages through the product's host at `origin`; each lane is a person of its own, with one surrogate. */
export function productSubject(browser: Browser, origin: string, screen: Screen): Subject {
  const people = new Map<number, Promise<BrowserContext>>();
  const person = (lane: number): Promise<BrowserContext> => {
    const known = people.get(lane) ?? browser.newContext(contextOf(screen));
    people.set(lane, known);
    return known;
  };
  return {
    name: 'vitrine',
    show: async (url, page, expected, lane) => {
      const shell = await (await person(lane)).newPage();
      const notes: string[] = [];
      shell.on('pageerror', (error) => notes.push(`error in the shell: ${error.message}`));
      shell.on(
        'console',
        (entry) => entry.type() === 'error' && notes.push(`console: ${entry.text()} ${entry.location().url}`),
      );
      const picture = await onPage(shell, (step) =>
        look(shell, screen, `${origin}/${url}`, page, expected, notes, step),
      );
      return { picture, notes: notes.slice(0, 5).map((note) => note.slice(0, 300)) };
    },
    close: async () => {
      for (const context of people.values()) await (await context).close();
    },
  };
}

async function look(
  shell: Page,
  screen: Screen,
  address: string,
  page: CorpusPage,
  expected: Buffer,
  notes: string[],
  step: Step,
): Promise<Shown['picture']> {
  step('opening the shell');
  await shell.goto(address, { waitUntil: 'domcontentloaded' });
  await waitForView(shell, page.signalled, notes, step);
  step('acting');
  await restPointer(shell, screen);
  await act(shell, page.actions);
  if (page.actions.length > 0) {
    await delay(ACTION_MS);
    if (await isAllowed(shell)) await delay(ACTION_MS);
  }
  step('taking the picture');
  const camera = await Camera.on(shell, screen);
  const first = await camera.settle(SETTLE_MS);
  if (compare(expected, first.picture).differing === 0) return first.picture;
  const end = performance.now() + LATE_MS;
  let second = first;
  do {
    await delay(AGAIN_MS);
    second = await camera.settle(SETTLE_MS);
  } while (compare(expected, second.picture).differing !== 0 && performance.now() < end);
  if (!second.stable) notes.push('the picture did not become stable');
  else if (!second.picture.equals(first.picture)) notes.push('the picture changed after having been stable');
  return second.picture;
}

/** Lets the page do what it asks for, as a person would: full screen. Returns whether there was a prompt. */
async function isAllowed(shell: Page): Promise<boolean> {
  const allow = shell.frameLocator('#vitrine-page-frame').getByRole('button', { name: 'Allow' });
  if (!(await allow.isVisible())) return false;
  await allow.click();
  return true;
}

/** Waits until the shell shows a page, and the page is final. Throws where the shell says why not; `step` is called each time. */
export async function waitForView(shell: Page, signalled: boolean, notes: string[], step: Step): Promise<void> {
  let readySince: number | undefined;
  for (;;) {
    const { state, final, message } = await readView(shell, signalled);
    if (state === 'error' || state === 'detached') throw new Error(`the shell is in state ${state}: ${message}`);
    if (state === 'ready') {
      if (final) return;
      readySince ??= performance.now();
      step('the shell is ready, the view is not final');
      if (performance.now() - readySince > MARK_MS) {
        notes.push('the view did not show that the page is final');
        return;
      }
    } else {
      step(`the shell is in state ${state}`);
    }
    await delay(POLL_MS);
  }
}
