import { setTimeout as delay } from 'node:timers/promises';
import { toAppError } from '../../../host/plugin.ts';
import type { HostScope, ParamsOf, ResultOf } from '../../../host/plugin.ts';
import { pageBring, pageEnd, pageSearch, pageShow, searchCleared, searchMatches, searchReply } from '../protocol.ts';
import type { EndReason, Rect, pageChanged, pageShown, searchQuery } from '../protocol.ts';

const MAIN_FRAME = 1;
/** Time for a frame's answer, in ms. One that hangs has no matches. */
const SEARCH_MS = 20_000;
const SHOW_MS = 3000;
/** Time after which a frame is asked again that cannot be asked now, in ms. */
const AGAIN_MS = 500;
/** Most frames above a match that are scrolled. */
const MOST_NESTED = 32;
/** Time between two reports to the client, in ms: frames answer one by one. */
const REPORT_MS = 40;

/** A query, without where it is to go. */
export type Query = Omit<ParamsOf<typeof searchQuery>, 'forward' | 'continue'>;

type Found = ResultOf<typeof pageSearch>;

interface Active {
  readonly frame: number;
  readonly index: number;
}

/** One search: the same query in all frames, whose matches follow one another in the order of the frames. */
export class Search {
  readonly query: Query;
  readonly #scope: HostScope;
  readonly #id: number;
  readonly #found = new Map<number, Omit<Found, 'first'>>();
  readonly #asked = new Set<number>();
  #active: Active | undefined;
  #waiting = 0;
  #isOver = false;
  #report: ReturnType<typeof setTimeout> | undefined;
  #said = '';

  constructor(scope: HostScope, id: number, query: Query) {
    this.#scope = scope;
    this.#id = id;
    this.query = query;
  }

  /** The frame that has the active match. */
  get frame(): number | undefined {
    return this.#active?.frame;
  }

  /** Searches all frames, and goes to the first match from where the person is: in the frame where the last search was, or the main one. */
  async start(from: number | undefined, isForward: boolean): Promise<void> {
    const order = this.#order();
    const first = from !== undefined && order.includes(from) ? from : MAIN_FRAME;
    const searches = new Map(order.map((frame) => [frame, this.#search(frame)]));
    this.#tell();
    if (this.query.text === '') return;
    const at = order.indexOf(first);
    for (const frame of [...order.slice(at), ...order.slice(0, at)]) {
      const found = await searches.get(frame);
      if (this.#isOver) return;
      if (!found || found.count === 0) continue;
      await this.#go({
        frame,
        index: Math.min(frame === first ? found.first : isForward ? 0 : found.count - 1, found.count - 1),
      });
      return;
    }
    this.#tell();
  }

  /** Searches a frame that has come since, or has another document now. */
  async join(frame: number): Promise<void> {
    await this.#search(frame);
    this.#tell();
  }

  /** A frame's document has gone. */
  drop(frame: number): void {
    this.#asked.delete(frame);
    this.#found.delete(frame);
    if (this.#active?.frame === frame) this.#active = undefined;
    this.#tell();
  }

  /** All documents have gone. */
  leave(): void {
    for (const frame of this.#asked) this.drop(frame);
  }

  /** Goes to the next match, or the one before; past the last one, to the first. */
  async move(isForward: boolean): Promise<void> {
    const order = this.#order().filter((frame) => this.#countIn(frame) > 0);
    const [first] = order;
    const last = order.at(-1);
    if (first === undefined || last === undefined) return;
    if (!this.#active) {
      await this.#go(isForward ? { frame: first, index: 0 } : { frame: last, index: this.#countIn(last) - 1 });
      return;
    }
    const { frame, index } = this.#active;
    const next = index + (isForward ? 1 : -1);
    if (next >= 0 && next < this.#countIn(frame)) {
      await this.#go({ frame, index: next });
      return;
    }
    const at = order.indexOf(frame) + (isForward ? 1 : -1);
    const other = order[(at + order.length) % order.length] ?? first;
    await this.#go({ frame: other, index: isForward ? 0 : this.#countIn(other) - 1 });
  }

  /** The page has changed, and so have the matches of a frame. */
  changed(frame: number, { search, count, isCut, active }: ParamsOf<typeof pageChanged>): void {
    if (search !== this.#id || !this.#found.has(frame)) return;
    this.#found.set(frame, { count, isCut });
    if (this.#active?.frame === frame)
      this.#active = active >= 0 && active < count ? { frame, index: active } : undefined;
    this.#tell();
  }

  /** Passes on the matches that a frame has shown, once the client has the nodes. */
  shown(frame: number, { search, epoch, seq, ends, active }: ParamsOf<typeof pageShown>): void {
    if (search !== this.#id || this.#isOver) return;
    const isActive = this.#active?.frame === frame;
    const matches = { frame, epoch, ends, active: isActive ? active : [] };
    this.#scope.commands.send(searchMatches, matches, { after: [frame, epoch, seq] });
  }

  /** Ends the search. Resolves with whether Enter is to press what the active match is part of. */
  async end(reason: EndReason): Promise<boolean> {
    const { frames, page } = this.#scope;
    const active = this.#active?.frame;
    this.replaced();
    this.#scope.commands.send(searchCleared, undefined);
    let isPressable = false;
    const ends = frames.all().map(async ({ id }) => {
      const own = id === active ? reason : 'clear';
      const answer = await page.call(id, pageEnd, { reason: own }, { deadlineMs: SHOW_MS });
      if (id === active) isPressable = answer.isPressable && reason === 'activate';
    });
    await Promise.allSettled(ends); // a frame that hangs or has gone shows nothing either
    return isPressable;
  }

  /** Another search takes its place. */
  replaced(): void {
    this.#isOver = true;
    clearTimeout(this.#report);
  }

  async #search(frame: number): Promise<Found | undefined> {
    this.#asked.add(frame);
    this.#waiting += 1;
    try {
      const found = await this.#ask(frame);
      if (!this.#asked.has(frame)) return undefined;
      this.#found.set(frame, found);
      return found;
    } catch (thrown) {
      this.#scope.log.debug('a frame was not searched', { frame, code: toAppError(thrown).code });
      return undefined;
    } finally {
      this.#waiting -= 1;
      this.#tell();
    }
  }

  /** Asks again while the next document of a frame is awaited: the page may stay. */
  async #ask(frame: number): Promise<Found> {
    const { page } = this.#scope;
    for (;;)
      try {
        return await page.call(frame, pageSearch, { search: this.#id, ...this.query }, { deadlineMs: SEARCH_MS });
      } catch (thrown) {
        const isOver = this.#isOver || !this.#asked.has(frame);
        if (isOver || toAppError(thrown).code !== 'document-awaited') throw thrown;
        await delay(AGAIN_MS, undefined, { ref: false });
      }
  }

  async #go(active: Active): Promise<void> {
    const { page, log } = this.#scope;
    const before = this.#active;
    this.#active = active;
    this.#tell();
    const search = this.#id;
    try {
      if (before && before.frame !== active.frame)
        void page.call(before.frame, pageShow, { search, index: -1 }).catch(() => undefined); // it may have gone
      const { rect } = await page.call(
        active.frame,
        pageShow,
        { search, index: active.index },
        { deadlineMs: SHOW_MS },
      );
      if (rect) await this.#bring(active.frame, rect);
    } catch (thrown) {
      log.debug('a match was not shown', { frame: active.frame, code: toAppError(thrown).code });
    }
  }

  /** Has the frames above a frame bring a box of it into view. */
  async #bring(of: number, box: Rect): Promise<void> {
    const { frames, page } = this.#scope;
    let frame = frames.get(of);
    let rect: Rect | null = box;
    for (let nested = 0; frame && frame.parent !== 0 && rect && nested < MOST_NESTED; nested += 1) {
      const owner = await frames.ownerOf(frame.id);
      if (!owner) return;
      const brought: ResultOf<typeof pageBring> = await page.call(
        frame.parent,
        pageBring,
        { ...owner, rect },
        { deadlineMs: SHOW_MS },
      );
      rect = brought.rect;
      frame = frames.get(frame.parent);
    }
  }

  #countIn(frame: number): number {
    return this.#found.get(frame)?.count ?? 0;
  }

  /** The frames in the order of their tree, each before those in it, as they were inserted. */
  #order(): number[] {
    const all = this.#scope.frames.all();
    const inside = new Map<number, number[]>();
    for (const { id, parent } of all) inside.set(parent, [...(inside.get(parent) ?? []), id]);
    const order: number[] = [];
    const left = inside.get(0) ?? [];
    for (let frame = left.pop(); frame !== undefined; frame = left.pop()) {
      order.push(frame);
      left.push(...(inside.get(frame) ?? []).sort((a, b) => b - a));
    }
    return order;
  }

  #tell(): void {
    if (this.#isOver) return;
    this.#report ??= setTimeout(() => {
      this.#report = undefined;
      const order = this.#order();
      const { frame, index } = this.#active ?? { frame: -1, index: -1 };
      const sum = (frames: readonly number[]): number => frames.reduce((all, id) => all + this.#countIn(id), 0);
      const before = order.indexOf(frame);
      const reply = {
        count: before < 0 ? 0 : sum(order.slice(0, before)) + index + 1,
        total: sum(order),
        isCut: [...this.#found.values()].some(({ isCut }) => isCut),
        isSearching: this.#waiting > 0,
      };
      const saying = JSON.stringify(reply);
      if (saying === this.#said) return;
      this.#said = saying;
      this.#scope.commands.send(searchReply, reply);
    }, REPORT_MS);
  }
}
