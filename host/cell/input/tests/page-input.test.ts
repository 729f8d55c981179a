import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { scrolled } from '../../../../core/protocol/core-messages.ts';
import type { Endpoint } from '../../../../core/protocol/endpoint.ts';
import { AppError } from '../../../../core/protocol/errors.ts';
import type { HostInput, InputTurn } from '../../../contracts/tab-input.ts';
import { GESTURE_MS } from '../../../contracts/tab-input.ts';
import type { PageBus } from '../../../contracts/host-scope.ts';
import type { CdpSession } from '../../../surrogate/cdp-session.ts';
import type { FrameTree } from '../../page/frames.ts';
import { PageInput } from '../page-input.ts';

const MOUSE = 'Input.dispatchMouseEvent';
const KEY = 'Input.dispatchKeyEvent';
const MOVED = { type: 'mouseMoved', x: 1, y: 2 } as const;

/** Whether something comes before a timer of most of the 3 s that input waits for a page: a machine that stands still delays both. */
const isSoon = (coming: Promise<unknown>): Promise<boolean> =>
  Promise.race([coming.then(() => true), delay(2500, false, { ref: false })]);

/** A session that records what it is sent; a key is handled when `handled` is called, all else at once. */
function session(name: string, sent: string[]) {
  const ending = new AbortController();
  const keys: (() => void)[] = [];
  const made = {
    closed: ending.signal,
    send: async (method: string, params: { type?: string; x?: number; y?: number }) => {
      sent.push([name, params.type ?? method, params.x, params.y].filter((each) => each !== undefined).join(' '));
      if (method === KEY) await new Promise<void>((resolve) => keys.push(resolve));
    },
  };
  return {
    cdp: made as unknown as CdpSession, // all that input asks of one
    close: () => ending.abort(),
    handled: () => keys.splice(0).forEach((resolve) => resolve()),
  };
}

/** A tab whose main frame is 1, in the page's own session, and whose frame 2 has one of its own. */
function tab() {
  const sent: string[] = [];
  const faults: AppError[] = [];
  const [page, inner] = [session('page', sent), session('inner', sent)];
  const frames = {
    get: (id: number) => ({ id, parent: id - 1 }),
    sessionOf: (id: number) => [page.cdp, page.cdp, inner.cdp][id],
    onGone: () => () => undefined,
  };
  let point: () => Promise<{ x: number; y: number }> = async () => ({ x: 10, y: 20 });
  const expected: CdpSession[] = [];
  const awaiting = new Map<CdpSession, number>();
  const input = new PageInput({
    frames: frames as unknown as FrameTree, // all that input asks of it
    kernel: { send: () => undefined } as unknown as PageBus,
    impatient: { call: () => point() } as unknown as PageBus,
    isShown: () => true,
    waitOf: (of) => awaiting.get(of),
    expect: (of) => expected.push(of),
  });
  const scope = new AbortController();
  const device = (plugin = 'dial', permissions: readonly string[] = [MOUSE, KEY]): HostInput =>
    input.of({ plugin, permissions, signal: scope.signal, onFault: (fault) => faults.push(fault) });
  const answer = (with_: typeof point): void => void (point = with_);
  return { input, device, sent, faults, page, inner, expected, awaiting, answer, dispose: () => scope.abort() };
}

afterEach(() => vi.useRealTimers());

describe('a place', () => {
  it('is where the page has the target now, in the session of its frame, and says by what that is off', async () => {
    const { device } = tab();
    const place = await device().place({ frame: 2, x: 7, y: 21 });
    expect(place).toMatchObject({ x: 10, y: 20, shift: { x: 3, y: -1 } });
    const other = await device().place({ frame: 1, x: 0, y: 0 });
    expect(other?.session).not.toBe(place?.session);
  });

  it('is where the person sees it while the next document is awaited, unless something was scrolled meanwhile', async () => {
    const { input, device, awaiting, page, answer } = tab();
    const handlers = new Map<string, (params: unknown) => void>();
    input.handle({
      handle: ({ name }: { name: string }, handler: (params: unknown) => void) => void handlers.set(name, handler),
    } as unknown as Endpoint); // all that input asks of it
    const scroll = async (frame: number): Promise<void> => {
      handlers.get(scrolled.name)?.({ target: { frame }, left: 0, top: 9 });
      await device().enqueue(() => undefined);
    };
    const asked = { x: 10, y: 20 };
    const seen = { x: 7, y: 21 };
    const place = async (): Promise<unknown> => await device().place({ frame: 1, ...seen });
    await scroll(1);
    expect(await place()).toMatchObject(asked);
    answer(async () => ({ x: 11, y: 22 }));
    awaiting.set(page.cdp, 1);
    expect(await place()).toMatchObject(seen);
    expect(await device().place({ frame: 2, ...seen })).toMatchObject({ x: 11, y: 22 });
    await scroll(1);
    expect(await place()).toBeUndefined();
    awaiting.set(page.cdp, 2);
    expect(await place()).toMatchObject(seen);
  });

  it('is where the person sees it where the wait begins while the page is asked', async () => {
    const { device, awaiting, page, answer } = tab();
    const place = async (): Promise<unknown> => await device().place({ frame: 1, x: 7, y: 21 });
    const fails = (wait: number | undefined) => () => {
      if (wait) awaiting.set(page.cdp, wait);
      return Promise.reject(new AppError('document-awaited', 'the page goes to another document'));
    };
    answer(fails(undefined));
    await expect(place()).rejects.toMatchObject({ code: 'document-awaited' });
    answer(fails(1));
    expect(await place()).toMatchObject({ x: 7, y: 21 });
  });

  it('by the shift of a press is not asked of the page', async () => {
    const { device, answer } = tab();
    answer(() => Promise.reject(new AppError('call-timeout', 'it hangs')));
    const place = await device().place({ frame: 2, x: 7, y: 21 }, { x: 3, y: -1 });
    expect(place).toMatchObject({ x: 10, y: 20, shift: { x: 3, y: -1 } });
    expect(await device().place({ frame: 9, x: 0, y: 0 })).toBeUndefined();
  });
});

describe('a page that is left', () => {
  it('gets nothing more of what it has not handled in time, but the end of what has begun', async () => {
    const { input, device, sent, page } = tab();
    const mouse = device('mouse');
    const dial = device('dial');
    const isOn = Promise.withResolvers<void>();
    void mouse.enqueue((turn) => void turn.send(KEY, { type: 'rawKeyDown' }).catch(() => undefined), {}); // is not handled
    const waits = dial.enqueue((turn) => void turn.send(MOUSE, MOVED));
    const later = mouse.enqueue((turn) => void turn.send(MOUSE, MOVED));
    await input.settle(1);
    page.handled();
    expect(await Promise.all([waits, later])).toEqual([false, false]);
    expect(sent).toEqual(['page rawKeyDown']);

    const ends = dial.enqueue(async (turn) => {
      void turn.send(MOUSE, MOVED);
      await isOn.promise;
      await turn.send(MOUSE, { ...MOVED, type: 'mouseReleased' });
    });
    await input.settle(1);
    isOn.resolve();
    expect(await ends).toBe(true);
    expect(sent.slice(1)).toEqual(['page mouseMoved 1 2', 'page mouseReleased 1 2']);
  });
});

describe('an event', () => {
  it('reaches the session of its place; one without a place reaches the page’s, whose document has to handle it', async () => {
    const { device, sent, expected, page, inner } = tab();
    const input = device();
    await input.enqueue(async (turn) => {
      const place = await input.place({ frame: 2, x: 0, y: 0 });
      void turn.send(MOUSE, MOVED, { session: place?.session ?? 0 });
      void turn.send(KEY, { type: 'keyDown' });
    });
    expect(sent).toEqual(['inner mouseMoved 1 2', 'page keyDown']);
    expect(expected).toEqual([inner.cdp, inner.cdp, page.cdp]);
  });

  it('moves the pointer out of the session that it was over, whichever device moves it', async () => {
    const { device, sent } = tab();
    const [mouse, wheel] = [device('mouse'), device('wheel')];
    const [main, frame] = await Promise.all([1, 2].map((id) => mouse.place({ frame: id, x: 0, y: 0 })));
    await mouse.enqueue((turn) => void turn.send(MOUSE, MOVED, { session: main?.session ?? 0 }));
    await wheel.enqueue(
      (turn) => void turn.send(MOUSE, { ...MOVED, type: 'mouseWheel' }, { session: frame?.session ?? 0 }),
    );
    await mouse.enqueue((turn) => turn.leave(2));
    expect(sent).toEqual([
      'page mouseMoved 1 2',
      'page mouseMoved -1 -1',
      'inner mouseWheel 1 2',
      'inner mouseMoved -1 -1',
    ]);
  });

  it('is lost with its frame, or when the page hangs, without a word; other faults of a device are reported', async () => {
    const { device, faults, answer, inner } = tab();
    const input = device();
    const place = await input.place({ frame: 2, x: 0, y: 0 });
    inner.close();
    await input.enqueue(async (turn) => turn.send(MOUSE, MOVED, { session: place?.session ?? 0 }));
    answer(() => Promise.reject(new AppError('call-timeout', 'it hangs')));
    await input.enqueue(async () => {
      await input.place({ frame: 1, x: 0, y: 0 });
    });
    expect(faults).toEqual([]);
    await input.enqueue(() => {
      throw new TypeError('a mistake');
    });
    expect(faults.map(({ message }) => message)).toEqual(['a mistake']);
    expect(await input.enqueue(() => undefined)).toBe(true);
  });

  it('of another device waits until the page has handled the last one, or for 3 s; a movement does not', async () => {
    const { device, page } = tab();
    const [keys, wheel] = [device('keyboard'), device('wheel')];
    const press = (turn: InputTurn): void => void turn.send(KEY, { type: 'keyDown' });
    const turned = (turn: InputTurn): void => void turn.send(MOUSE, MOVED);
    await keys.enqueue(press);
    let isHandled = false;
    setTimeout(() => {
      isHandled = true;
      page.handled();
    }, 100);
    await wheel.enqueue(turned);
    expect(isHandled).toBe(true);
    await keys.enqueue(press);
    expect(await isSoon(keys.enqueue(press))).toBe(true); // its own
    expect(await isSoon(wheel.enqueue(turned, { isMove: true }))).toBe(true);
    const began = performance.now();
    await wheel.enqueue(turned);
    expect(performance.now() - began).toBeGreaterThan(2900);
    expect(await isSoon(wheel.enqueue(turned))).toBe(true); // one has waited
  });

  it('has no turn where the page takes longer over the last one than it is to wait', async () => {
    const { device, page } = tab();
    const [keys, echo] = [device('keyboard'), device('echo')];
    const press = (turn: InputTurn): void => void turn.send(KEY, { type: 'keyDown' });
    let turns = 0;
    const count = (): void => void (turns += 1);
    await keys.enqueue(press);
    const enqueued = echo.enqueue(count, { patienceMs: 50 });
    expect(await isSoon(enqueued)).toBe(true);
    expect([await enqueued, turns]).toEqual([true, 0]);
    page.handled();
    await echo.enqueue(count, { patienceMs: 50 });
    expect(turns).toBe(1);
  });
});

describe('keys that come in a burst', () => {
  /** Sends a burst; answers with the times between the events, in ms. */
  const gaps = async (pressedAt: readonly number[]): Promise<number[]> => {
    const keys = tab().device('keyboard');
    const times: number[] = [];
    const apply = (): void => void times.push(performance.now());
    await Promise.all(pressedAt.map((time) => keys.enqueue(apply, { isPress: true, pressedAt: time })));
    return times.slice(1).map((time, index) => time - (times[index] ?? 0));
  };

  const middleOf = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1] ?? NaN;

  it('go to the page as far apart as they were pressed, up to a frame', async () => {
    const pressed = (apartMs: number): number[] => Array.from({ length: 10 }, (_each, index) => 5000 + index * apartMs);
    // Timers count whole milliseconds, from the begin of the loop's turn: one in which the machine stood still shortens a gap.
    const [close, far] = [middleOf(await gaps(pressed(8))), middleOf(await gaps(pressed(60_000)))];
    expect(close).toBeGreaterThan(5.5);
    expect(far).toBeGreaterThan(13.5);
    expect(await gaps([5, 5, 2, -Infinity, NaN])).toHaveLength(4); // pressed at once, or by a clock that was put back
  });

  it('hold up nobody for long: where many wait no time is left between them', async () => {
    const all = await gaps(Array.from({ length: 600 }, (_each, index) => index * 100));
    expect(all).toHaveLength(599);
    expect(middleOf(all)).toBeLessThan(13.5); // most of them: a busy machine delays some
  });

  it('keep their order among the events of other devices', async () => {
    const { device } = tab();
    const order: string[] = [];
    const add = (name: string, pressedAt?: number): Promise<boolean> =>
      device().enqueue(() => void order.push(name), pressedAt === undefined ? {} : { pressedAt });
    await Promise.all([add('key', 1), add('key', 20), add('press'), add('key', 40)]);
    expect(order).toEqual(['key', 'key', 'press', 'key']);
  });
});

describe('the mark that the person has acted', () => {
  it('is made by a press of any device, ends after a while, and with the page', async () => {
    vi.useFakeTimers();
    const { device, input } = tab();
    const dial = device();
    expect(input.gesture.isActive()).toBe(false);
    void dial.enqueue(() => undefined);
    expect(input.gesture.actedAt).toBe(-Infinity);
    void dial.enqueue(() => undefined, { isPress: true });
    expect(dial.gesture.isActive()).toBe(true);
    vi.advanceTimersByTime(GESTURE_MS);
    expect(input.gesture.isActive()).toBe(false);
    void dial.enqueue(() => undefined, { isPress: true });
    input.reset();
    expect(input.gesture.isActive()).toBe(false);
  });
});

describe('a device', () => {
  it('sends no event that its manifest does not name, and nothing but input', async () => {
    const { device, faults, sent } = tab();
    for (const [permissions, method] of [
      [[KEY], MOUSE],
      [[], MOUSE],
      [['Page.*'], 'Page.navigate'],
    ] as const)
      await device('dial', permissions).enqueue((turn) => void turn.send(method as typeof MOUSE, MOVED));
    expect(faults.map(({ code }) => code)).toEqual(Array(3).fill('cdp-not-permitted'));
    await device('dial', ['Input.*']).enqueue((turn) => void turn.send(MOUSE, MOVED));
    expect(sent).toEqual(['page mouseMoved 1 2']);
  });

  it('acts in its turn only', async () => {
    const { device, sent } = tab();
    const kept: InputTurn[] = [];
    await device().enqueue((turn) => void kept.push(turn));
    for (const turn of kept) {
      expect(() => turn.send(MOUSE, MOVED)).toThrow('outside of its turn');
      expect(() => turn.leave(1)).toThrow('outside of its turn');
    }
    expect(sent).toEqual([]);
  });

  it('that has been withdrawn acts no more: neither by what waits nor by what comes, nor as a gesture', async () => {
    const { device, input, sent, dispose } = tab();
    const dial = device();
    const gate = Promise.withResolvers<void>();
    void dial.enqueue(() => gate.promise);
    const move = (turn: InputTurn): void => void turn.send(MOUSE, MOVED);
    const waiting = dial.enqueue(move);
    dispose();
    gate.resolve();
    await waiting;
    expect(await dial.enqueue(move, { isPress: true })).toBe(false);
    expect(sent).toEqual([]);
    expect(input.gesture.actedAt).toBe(-Infinity);
  });
});
