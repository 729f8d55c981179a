import { setTimeout as delay } from 'node:timers/promises';
import type { Browser, Page } from 'playwright';
import { act } from './actions.ts';
import { contextOf } from './browser.ts';
import type { Screen } from './browser.ts';
import type { CorpusPage } from './corpus.ts';
import { onPage } from './deadline.ts';
import type { Step } from './deadline.ts';
import { ACTION_MS } from './direct.ts';
import { waitForFinal } from './final-state.ts';
import { Camera, compare } from './picture.ts';
import { bundle, RECORDER, REPLAYER } from './rrweb.ts';
import type { Shown, Subject } from './subject.ts';

/**
 * Path of the replay page on the corpus's origin, so that its resources are of the same origin, as for the page itself.
 */
export const REPLAY_PATH = '/.vitrine-replay';
const SETTLE_MS = 4_000;
const AGAIN_MS = 800;

/** Shows pages through rrweb, live: recorded in one browser, replayed in the other. */
export async function rrwebSubject(recording: Browser, replaying: Browser, screen: Screen): Promise<Subject> {
  const [recorder, replayer] = await Promise.all([bundle(RECORDER), bundle(REPLAYER)]);
  return {
    name: 'rrweb',
    show: async (url, page, expected) => {
      const source = await recording.newContext(contextOf(screen));
      const target = await replaying.newContext(contextOf(screen));
      try {
        const replay = await target.newPage();
        const picture = await onPage(replay, async (step) => {
          const live = await source.newPage();
          await replay.goto(new URL(REPLAY_PATH, url).href);
          await replay.addScriptTag({ content: replayer });
          const relay = new Relay(replay);
          await live.exposeFunction('vitrinePeerSend', (json: string) => relay.push(json));
          await live.addInitScript({ content: recorder });
          return look(live, replay, relay, screen, url, page, expected, step);
        });
        return { picture, notes: [] };
      } finally {
        await Promise.all([source.close(), target.close()]);
      }
    },
    close: async () => undefined,
  };
}

async function look(
  live: Page,
  replay: Page,
  relay: Relay,
  screen: Screen,
  url: string,
  page: CorpusPage,
  expected: Buffer,
  step: Step,
): Promise<Shown['picture']> {
  await live.goto(url);
  step('waiting for the page to be final');
  await waitForFinal(live, page.signalled);
  step('acting');
  await act(live, page.actions);
  await delay(ACTION_MS);
  step('waiting for the relay');
  await relay.drained();
  step('taking the picture');
  const camera = await Camera.on(replay, screen);
  const first = await camera.settle(SETTLE_MS);
  if (compare(expected, first.picture).differing === 0) return first.picture;
  await delay(AGAIN_MS);
  await relay.drained();
  return (await camera.settle(SETTLE_MS)).picture;
}

/** Passes events on in order, all collected ones at once. */
class Relay {
  readonly #replay: Page;
  #waiting: string[] = [];
  #sending: Promise<void> | undefined;

  constructor(replay: Page) {
    this.#replay = replay;
  }

  push(json: string): void {
    this.#waiting.push(json);
    this.#sending ??= this.#send().finally(() => (this.#sending = undefined));
  }

  async drained(): Promise<void> {
    while (this.#sending) await this.#sending;
  }

  async #send(): Promise<void> {
    while (this.#waiting.length > 0) {
      const events = this.#waiting;
      this.#waiting = [];
      await this.#replay.evaluate(addEvents, events);
    }
  }
}

/** Runs in the replay page. */
function addEvents(events: readonly string[]): void {
  const { vitrinePeerAdd } = window as unknown as { vitrinePeerAdd(json: string): void }; // set by the replayer's bundle
  for (const event of events) vitrinePeerAdd(event);
}
