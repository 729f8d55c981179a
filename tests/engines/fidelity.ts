import { setTimeout as delay } from 'node:timers/promises';
import type { CorpusPage } from '../fidelity/corpus.ts';
import { ACTION_MS } from '../fidelity/direct.ts';
import { isFinal, twoFrames, viewState } from '../fidelity/final-state.ts';
import { compare, settle } from '../fidelity/picture.ts';
import type { Comparison } from '../fidelity/picture.ts';
import type { Engine } from './engine.ts';
import { Person } from './person.ts';

const FINAL_MS = 40_000;
const SETTLE_MS = 4_000;
/**
 * Delays before a difference is checked again, in ms: the picture may only have been late, as with fonts that are shown
 * for the first time.
 */
const AGAIN_MS = [1_000, 3_000];
const POLL_MS = 50;

/** A page as the engine shows it directly and through the product. */
interface Pictures extends Comparison {
  readonly direct: Buffer;
  readonly shown: Buffer;
}

/** Takes both pictures of a page, after its actions, and compares them. Throws when it gets none. */
export async function comparePage(engine: Engine, page: CorpusPage, url: string, product: string): Promise<Pictures> {
  await engine.goto(url);
  await poll('the page is final', () => engine.evaluate(isFinal, page.signalled));
  await engine.evaluate(twoFrames, undefined);
  const direct = await picture(engine, page);

  await engine.goto(`${product}/${url}`);
  await viewIsFinal(engine, page);
  let shown = await picture(engine, page);
  for (const ms of AGAIN_MS) {
    if (compare(direct, shown).differing === 0) break;
    await delay(ms);
    await viewIsFinal(engine, page);
    shown = (await settle(() => engine.picture(), SETTLE_MS)).picture;
  }
  return { direct, shown, ...compare(direct, shown) };
}

function viewIsFinal(engine: Engine, page: CorpusPage): Promise<void> {
  return poll('the view is final', async () => {
    const { state, final, message } = await engine.evaluate(viewState, page.signalled);
    if (state === 'error' || state === 'detached') throw new Error(`the shell is in state ${state}: ${message}`);
    return state === 'ready' && final;
  });
}

async function picture(engine: Engine, { actions }: CorpusPage): Promise<Buffer> {
  // The position of the mouse at the end of the previous page must not affect this one.
  const person = new Person(engine);
  await person.act(actions);
  if (actions.length > 0) await delay(ACTION_MS);
  return (await settle(() => engine.picture(), SETTLE_MS)).picture;
}

async function poll(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + FINAL_MS;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`It does not come to pass that ${what}.`);
    await delay(POLL_MS);
  }
}
