import { beforeEach, describe, expect, it, vi } from 'vitest';
import { pluginHarness } from '../../../core/testing/harness.ts';
import { activate } from '../host/index.ts';
import { manifest } from '../manifest.ts';
import { lockAnswer, lockDisplaced, lockLeft, lockMoved, lockOver, lockPressed, lockRequest } from '../protocol.ts';
import {
  lockTurned,
  pageAnswer,
  pageAsks,
  pageFailed,
  pageHold,
  pageLeave,
  pageState,
  pageSteady,
} from '../protocol.ts';
import type { Refusal } from '../protocol.ts';

/** Longest wait for the person's browser, in ms. */
const CONFIRM_MS = 5000;

beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

/** The host half, with what client and page have received, and what the mouse has done as `frame: type button x y`. */
async function start({ allows = true, hasGesture = (): boolean => true } = {}) {
  const harness = pluginHarness(manifest, { hasGesture });
  const { client, page, cdp, host } = harness;
  const received: unknown[] = [];
  client.commands.handle(lockRequest, (params) => void received.push(params));
  client.commands.handle(lockOver, () => void received.push('over'));
  const paged: unknown[] = [];
  const joined = (frame: number): void => {
    page.in(frame).handle(pageAnswer, (params) => void paged.push(params));
    page.in(frame).handle(pageLeave, () => void paged.push(`${frame} leave`));
    page.in(frame).handle(pageHold, () => void paged.push('hold'));
    page.in(frame).handle(pageSteady, () => {
      paged.push('steady');
      return { x: 40, y: 30 };
    });
  };
  joined(1);
  cdp.answer('Page.createIsolatedWorld', () => ({ executionContextId: 7 }));
  cdp.answer('Runtime.evaluate', () => ({ result: { type: 'number' } }));
  const policy = { ...host.tab.policy(), permissions: { pointer_lock: allows } };
  const tab = { ...host.tab, policy: () => policy };
  await activate({ ...host, tab });
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 10; turn++) await harness.flush();
  };
  const mouse = async (): Promise<string[]> => {
    await settle();
    const sent = cdp.sent.splice(0).filter(({ method }) => method === 'Input.dispatchMouseEvent');
    return sent.map(({ frame, params }) => {
      const { type, button, x, y } = params as Readonly<Record<string, unknown>>; // as the half has made it
      return `${frame}: ${[type, button ?? '-', x, y].join(' ')}`;
    });
  };
  return {
    ...harness,
    policy,
    joined,
    settle,
    mouse,
    received: () => received.splice(0),
    paged: () => paged.splice(0),
    ask: (id: number, { frame = 1, unadjusted = false, hasGesture: acted = true } = {}) => {
      page.in(frame).send(pageAsks, { id, unadjusted, hasGesture: acted });
      return settle();
    },
    answer: (id: number, refusal?: Refusal) => {
      client.commands.send(lockAnswer, { id, ...(refusal && { refusal }) });
      return settle();
    },
    state: (isLocked: boolean, frame = 1) => {
      page.in(frame).send(pageState, { isLocked });
      return settle();
    },
    move: (movement_x: number, movement_y: number, modifiers = 0) =>
      client.commands.send(lockMoved, { movement_x, movement_y, modifiers }),
    press: (type: 'down' | 'up', modifiers: number) =>
      client.commands.send(lockPressed, { type, button: 'right', modifiers, click_count: 1 }),
  };
}

/** The same, in a page that has locked the pointer. */
async function locked(options?: Parameters<typeof start>[0]) {
  const all = await start(options);
  await all.ask(1);
  await all.answer(1);
  await all.state(true);
  all.received();
  all.paged();
  await all.mouse();
  return all;
}

describe('a page that requests a lock', () => {
  it('gets it once the person’s browser has its own, with a gesture in its frame', async () => {
    const { ask, answer, received, paged, cdp } = await start();
    await ask(1, { unadjusted: true });
    expect([received(), paged()]).toEqual([[{ id: 1, unadjusted: true }], []]);
    await answer(1);
    expect(paged()).toEqual([{ id: 1 }]);
    expect(cdp.sent.at(-1)).toMatchObject({ method: 'Runtime.evaluate', params: { contextId: 7, userGesture: true } });
  });

  it.each(['exited', 'unsupported', 'gesture', 'denied'] as const)('hears that it is refused: %s', async (refusal) => {
    const { ask, answer, paged } = await start();
    await ask(1);
    await answer(1, refusal);
    expect(paged()).toEqual([{ id: 1, refusal }]);
  });

  it('is refused by policy, and without a gesture of the person in it', async () => {
    const forbidden = await start({ allows: false });
    await forbidden.ask(1);
    expect([forbidden.received(), forbidden.paged()]).toEqual([[], [{ id: 1, refusal: 'denied' }]]);
    let acted = false;
    const { ask, received, paged } = await start({ hasGesture: () => acted });
    await ask(1);
    acted = true;
    await ask(2, { hasGesture: false });
    expect(received()).toEqual([]);
    expect(paged()).toEqual([
      { id: 1, refusal: 'gesture' },
      { id: 2, refusal: 'gesture' },
    ]);
  });

  it('may have it again without a gesture after it has left itself, and not after the person has', async () => {
    const { ask, answer, state, received, paged, client, settle } = await locked();
    await state(false);
    received();
    await ask(2, { hasGesture: false });
    expect(received()).toEqual([{ id: 2, unadjusted: false }]);
    await answer(2);
    await state(true);
    client.commands.send(lockLeft, undefined);
    await settle();
    paged();
    await ask(3, { hasGesture: false });
    expect(paged()).toEqual([{ id: 3, refusal: 'gesture' }]);
  });

  it('waits with its other requests for one answer, and other frames are refused', async () => {
    const { ask, answer, received, paged, frames, joined } = await start();
    frames.load({ id: 2, url: 'https://other.test/' });
    joined(2);
    await ask(1);
    await ask(2);
    await ask(7, { frame: 2 });
    expect(paged()).toEqual([{ id: 7, refusal: 'denied' }]);
    await answer(1);
    expect(received()).toHaveLength(1);
    expect(paged()).toEqual([{ id: 1 }, { id: 2 }]);
  });

  it('is refused where the person’s browser does not answer within 5 s, whose late lock ends', async () => {
    const { ask, answer, received, paged, settle } = await start();
    await ask(1);
    received();
    vi.advanceTimersByTime(CONFIRM_MS - 1);
    await settle();
    expect(paged()).toEqual([]);
    vi.advanceTimersByTime(1);
    await settle();
    expect([received(), paged()]).toEqual([['over'], [{ id: 1, refusal: 'denied' }]]);
    await answer(1);
    expect(received()).toEqual(['over']);
  });

  it('ends that of the person where its own fails, or does not come within 5 s', async () => {
    const { ask, answer, received, page, settle, state } = await start();
    await ask(1);
    await answer(1);
    received();
    page.in(1).send(pageFailed, { id: 1 });
    await settle();
    expect(received()).toEqual(['over']);
    await ask(2);
    await answer(2);
    received();
    vi.advanceTimersByTime(CONFIRM_MS);
    await settle();
    expect(received()).toEqual(['over']);
    await ask(3);
    await answer(3);
    await state(true);
    received();
    vi.advanceTimersByTime(10 * CONFIRM_MS);
    page.in(1).send(pageFailed, { id: 4 }); // another element, while it has the lock
    await settle();
    expect(received()).toEqual([]);
  });

  it('stays that of the person where one of two requests fails, until the other one does', async () => {
    const { ask, answer, received, page, settle } = await start();
    await ask(1);
    await ask(2);
    await answer(1);
    received();
    page.in(1).send(pageFailed, { id: 1 });
    await settle();
    expect(received()).toEqual([]);
    page.in(1).send(pageFailed, { id: 2 });
    await settle();
    expect(received()).toEqual(['over']);
  });

  it('is taken out where it has locked the pointer without the person', async () => {
    const { state, received, paged } = await start();
    await state(true);
    expect([received(), paged()]).toEqual([[], ['1 leave']]);
  });
});

describe('a lock', () => {
  it.each(['navigates', 'is replaced', 'leaves'])('of the person ends when the page %s', async (how) => {
    const { hostHooks, state, received, paged, settle } = await locked();
    if (how === 'leaves') await state(false);
    if (how === 'navigates') hostHooks.navigated.call({ frame: 1, url: '', sameDocument: false });
    if (how === 'is replaced') hostHooks.replaced.call({ reason: 'crashed' });
    await settle();
    expect(received()).toEqual(['over']);
    expect(paged()).not.toContain('1 leave');
  });

  it('goes on when the page changes its address alone', async () => {
    const { hostHooks, received, settle } = await locked();
    hostHooks.navigated.call({ frame: 1, url: '', sameDocument: true });
    hostHooks.clientAttached.call({ fresh: false });
    await settle();
    expect(received()).toEqual([]);
  });

  it.each(['left', 'away', 'reloaded', 'forbidden'])('of the page ends when that of the person is %s', async (how) => {
    const { hostHooks, client, paged, settle, policy } = await locked();
    if (how === 'left') client.commands.send(lockLeft, undefined);
    if (how === 'away') hostHooks.inputLost.call({ reason: 'away' });
    if (how === 'reloaded') hostHooks.clientAttached.call({ fresh: true });
    if (how === 'forbidden') {
      policy.permissions.pointer_lock = false;
      hostHooks.policyChanged.call({ policy });
    }
    await settle();
    expect(paged()).toContain('1 leave');
  });

  it('of a frame ends with it, and not with another', async () => {
    const { ask, answer, state, frames, received, settle, joined } = await start();
    for (const id of [2, 3]) frames.load({ id, url: 'https://other.test/' });
    joined(2);
    await ask(1, { frame: 2 });
    await answer(1);
    await state(true, 2);
    received();
    frames.remove(3);
    await settle();
    expect(received()).toEqual([]);
    frames.remove(2);
    await settle();
    expect(received()).toEqual(['over']);
  });

  it('ends with the plugin', async () => {
    const { disposeHost, paged, settle } = await locked();
    disposeHost();
    await settle();
    expect(paged()).toContain('1 leave');
  });
});

describe('the mouse under a lock', () => {
  it('starts in the corner of the frame, unnoticed by the page, and goes by what the person moves', async () => {
    const { ask, answer, state, paged, mouse, move } = await start();
    await ask(1);
    await answer(1);
    paged();
    move(5, 5); // before the page has the lock
    await state(true);
    expect(paged()).toEqual(['hold', 'steady']);
    expect(await mouse()).toEqual(['1: mouseMoved none 0 0']);
    move(7, -3);
    await mouse();
    move(-20, 0.5);
    expect(await mouse()).toEqual(['1: mouseMoved none -13 -2.5']);
  });

  it('keeps every distance, and the order of movement and buttons, while the page is slow', async () => {
    const { move, press, mouse, client } = await locked();
    move(1, 0);
    move(2, 0);
    press('down', 2);
    move(3, 1, 2);
    client.commands.send(lockTurned, { delta_x: 0, delta_y: 120, modifiers: 0 });
    press('up', 0);
    press('up', 0); // whose press was not the page's
    const events = await mouse();
    expect(events).toEqual([
      '1: mouseMoved none 3 0',
      '1: mousePressed right 3 0',
      '1: mouseMoved right 6 1',
      '1: mouseWheel - 6 1',
      '1: mouseReleased right 6 1',
    ]);
  });

  it('goes back to its start after an event of the view, and when it has gone far', async () => {
    const { move, mouse, client, paged } = await locked();
    move(10, 0);
    client.commands.send(lockDisplaced, undefined);
    move(4, 0);
    expect(await mouse()).toEqual(['1: mouseMoved none 10 0', '1: mouseMoved none 0 0', '1: mouseMoved none 4 0']);
    expect(paged()).toEqual(['hold', 'steady']);
    move(1_000_000, 0);
    await mouse();
    move(1, 0);
    expect(await mouse()).toEqual(['1: mouseMoved none 1 0']);
  });

  it('lets its buttons come up outside at the end, goes back to where it was, and hears nothing more', async () => {
    const { move, press, mouse, state, paged } = await locked();
    press('down', 2);
    move(10, 0, 2);
    await mouse();
    await state(false);
    expect(paged()).toEqual(['hold', 'steady']);
    expect(await mouse()).toEqual(['1: mouseReleased right -1 -1', '1: mouseMoved none 40 30']);
    move(10, 0);
    press('down', 2);
    expect(await mouse()).toEqual([]);
  });

  it('is in the coordinates of its frame’s session, and forgotten with the page', async () => {
    const { hostHooks, move, press, mouse } = await locked();
    press('down', 2);
    await mouse();
    hostHooks.navigated.call({ frame: 1, url: '', sameDocument: false });
    move(1, 1);
    expect(await mouse()).toEqual([]);
  });
});
