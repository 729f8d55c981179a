import fc from 'fast-check';
import { EVENTS, heardEvents } from './cdp-events.ts';
import type { TabIds } from './cdp-events.ts';
import { edited, edits, hostileValue } from './hostile-values.ts';
import type { Edit } from './hostile-values.ts';
import type { CdpText, TappedBrowser } from './tapped-browser.ts';
import { isolatedWorlds, worldsOf } from './worlds.ts';

/** Events after which the product gives the page up: only at the end of an attack. */
const LAST = ['Inspector.targetCrashed', 'Target.detachedFromTarget'];
const EVENT_NAMES = heardEvents();
/** Copies of one message in a flood. */
const MAX_FLOOD = 3_000;
/** Most bytes of one flood. */
const MAX_FLOOD_UNITS = 20_000_000;
/** Words of an edit that are replaced by ids of the tab. */
const ID_WORDS = ['@session', '@target', '@frame0', '@frame1', '@loader', '@world'];

/** One act of a hostile renderer on the connection. */
type Step =
  | {
      readonly event: string;
      readonly isReal: boolean;
      readonly edits: readonly Edit[];
      readonly times: number;
      readonly session: number;
    }
  /** From now on, each answer whose number this divides is changed; 0: none. */
  | { readonly answers: number; readonly edits: readonly Edit[] }
  /** An answer to a command, of which the browser knows nothing. */
  | { readonly forged: unknown }
  | { readonly text: string };

interface CdpAttack {
  readonly steps: readonly Step[];
  readonly last: Step | undefined;
}

const value = hostileValue(ID_WORDS);
const event = (names: readonly string[]): fc.Arbitrary<Step> =>
  fc.record({
    event: fc.constantFrom(...names),
    isReal: fc.boolean(),
    edits: edits(value),
    times: fc.oneof(
      { weight: 12, arbitrary: fc.constant(1) },
      { weight: 1, arbitrary: fc.integer({ min: 2, max: MAX_FLOOD }) },
    ),
    session: fc.oneof({ weight: 8, arbitrary: fc.constant(0) }, fc.nat({ max: 5 })),
  });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: event(EVENT_NAMES.filter((name) => !LAST.includes(name))) },
  { weight: 2, arbitrary: fc.record({ answers: fc.nat({ max: 4 }), edits: edits(value) }) },
  { weight: 1, arbitrary: fc.record({ forged: value }) },
  {
    weight: 1,
    arbitrary: fc.record({
      text: fc.oneof(
        fc.json().map((json) => json.slice(0, 1000)),
        fc.string(),
        fc.constant('{"method":'),
      ),
    }),
  },
);

/** Sequences of events with wrong types, fields that are missing, ids of others, in any order, and answers of another shape. */
export const cdpAttacks: fc.Arbitrary<CdpAttack> = fc.record({
  steps: fc.array(step, { minLength: 5, maxLength: 40, size: 'max' }),
  last: fc.option(event(LAST), { freq: 3 }),
});

/** Events that say which frames there are, and which contexts they have. */
const FRAME_EVENTS = EVENT_NAMES.filter((name) =>
  /^(Page\.(frame|navigatedWithin)|Runtime\.(executionContext|binding)|Target\.(attached|targetInfo))/.test(name),
);

/** Sequences of such events, each once, changed or as the page itself has sent them. */
export const frameAttacks: fc.Arbitrary<CdpAttack> = fc.record({
  steps: fc.array(
    fc
      .tuple(event(FRAME_EVENTS), fc.boolean())
      .map(([drawn, isNamed]) => ({ ...drawn, times: 1, session: isNamed ? 0 : -1 })),
    { minLength: 10, maxLength: 40, size: 'max' },
  ),
  last: fc.constant(undefined),
});

/** Plays an attack in the name of the processes of one page. Call {@link TappedBrowser.tamper} off when it is over. */
export class CdpAttacker {
  readonly #browser: TappedBrowser;
  readonly #session: string;
  readonly #speaker: string;
  readonly #ids: TabIds;
  #answers = 0;

  /** `session` is the page's; `speaker` that of the process which attacks. */
  constructor(browser: TappedBrowser, session: string, speaker = session) {
    this.#browser = browser;
    this.#session = session;
    this.#speaker = speaker;
    this.#ids = idsOf(browser, session);
  }

  async play({ steps, last }: CdpAttack): Promise<void> {
    for (const each of last ? [...steps, last] : steps) {
      this.#do(each);
      await this.#browser.drained();
    }
  }

  /** The speaker says as the browser that there are targets, and what those are that there are. */
  claimTargets(): void {
    const { targetId } = this.#ids;
    const bank = { targetId, type: 'page', title: 'bank', url: 'https://bank.test/', attached: true };
    const others: object[] = [{ targetId: 'F'.repeat(32) }, { openerId: targetId }, { type: 'shared_worker' }];
    others.forEach((other, at) => {
      const targetInfo = { ...bank, canAccessOpener: false, ...other };
      const params = { sessionId: `${at}`.repeat(32), targetInfo, waitingForDebugger: true };
      this.#browser.inject({ method: 'Target.attachedToTarget', params });
      this.#browser.inject({ method: 'Target.targetInfoChanged', params: { targetInfo } });
      this.claimMain(params);
    });
    this.#browser.inject({ method: 'Target.detachedFromTarget', params: { sessionId: this.#speaker } });
    this.claimMain({});
  }

  /** The speaker says that the page's main frame has gone to another address, and has its page half in a context of the speaker's. */
  claimMain({ sessionId }: { readonly sessionId?: string } = { sessionId: this.#speaker }): void {
    const { targetId, loaderId } = this.#ids;
    const navigated = EVENTS['Page.frameNavigated']?.(this.#ids) as { readonly frame: object }; // as its event says
    const frame = { ...navigated.frame, id: targetId, parentId: undefined, loaderId };
    this.#browser.inject({ method: 'Page.frameNavigated', params: { ...navigated, frame }, sessionId });
    const context = EVENTS['Runtime.executionContextCreated']?.(this.#ids);
    this.#browser.inject({ method: 'Runtime.executionContextCreated', params: context, sessionId });
  }

  #do(given: Step): void {
    if ('text' in given) this.#browser.inject(given.text.replaceAll('\0', ' '));
    else if ('forged' in given) this.#forge(given.forged);
    else if ('answers' in given) this.#tamper(given.answers, given.edits);
    else this.#send(given);
  }

  #send({ event: method, isReal, edits: changes, times, session }: Extract<Step, { readonly event: string }>): void {
    const seen = this.#browser.samples.get(method)?.filter(({ sessionId }) => sessionId === this.#session);
    const honest = (isReal && seen?.at(-1)?.params) || EVENTS[method]?.(this.#ids);
    // The process that speaks writes the session into its messages.
    const sessions = [this.#speaker, ...this.#browser.family(this.#session).slice(1), 'unknown', undefined];
    const sessionId = sessions.at(session % sessions.length);
    const params = edited(
      honest,
      changes.map((change) => ({ ...change, value: this.#named(change.value) })),
    );
    const text = JSON.stringify({ method, params, sessionId });
    const count = Math.min(times, Math.ceil(MAX_FLOOD_UNITS / text.length));
    for (let sent = 0; sent < count; sent++) this.#browser.inject(text);
  }

  /** Answers the commands that wait, before the browser does. */
  #forge(result: unknown): void {
    const mine = this.#browser.family(this.#session);
    for (const { id, sessionId } of [...this.#browser.pending.values()])
      if (sessionId !== undefined && mine.includes(sessionId))
        this.#browser.inject({ id, result: this.#named(result), sessionId });
  }

  #tamper(every: number, changes: readonly Edit[]): void {
    const named = changes.map((change) => ({ ...change, value: this.#named(change.value) }));
    this.#browser.tamper =
      every === 0
        ? undefined
        : (message: CdpText) => {
            const { id, sessionId, result } = message;
            if (id === undefined || sessionId === undefined || result === undefined) return undefined;
            if (!this.#browser.family(this.#session).includes(sessionId) || ++this.#answers % every !== 0)
              return undefined;
            return [{ ...message, result: edited(result, named) }];
          };
  }

  #named(given: unknown): unknown {
    const { sessionId, targetId, frames, loaderId, world } = this.#ids;
    const at = ID_WORDS.indexOf(given as string); // any other value is none of them
    return at < 0 ? given : [sessionId, targetId, frames[0], frames[1], loaderId, world][at];
  }
}

function idsOf(browser: TappedBrowser, sessionId: string): TabIds {
  const targetId = browser.targets.get(sessionId)?.targetId ?? '';
  const worlds = isolatedWorlds(browser, sessionId);
  const frames = worlds.flatMap(({ auxData }) =>
    auxData?.frameId !== undefined && auxData.frameId !== targetId ? [auxData.frameId] : [],
  );
  const [world = 1] = worldsOf(browser, sessionId);
  const navigated = (browser.samples.get('Page.frameNavigated') ?? []).filter((each) => each.sessionId === sessionId);
  const loaderId = (navigated.at(-1)?.params as { frame?: { loaderId?: string } } | undefined)?.frame?.loaderId ?? 'L';
  return { sessionId, targetId, frames: ['F'.repeat(32), ...frames], loaderId, world };
}
