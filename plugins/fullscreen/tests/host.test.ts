import { describe, expect, it } from 'vitest';
import { pluginHarness } from '../../../core/testing/harness.ts';
import { activate } from '../host/index.ts';
import { manifest } from '../manifest.ts';
import { fullscreen, fullscreenOver, fullscreenRequest, fullscreenShown } from '../protocol.ts';
import { pageAnswer, pageAsks, pageFailed, pageLeave, pageState } from '../protocol.ts';

async function start(hasGesture = () => true) {
  const harness = pluginHarness(manifest, { hasGesture });
  const { client, host, page, cdp, flush } = harness;
  const told: unknown[] = [];
  client.commands.handle(fullscreenRequest, (params) => void told.push(params));
  client.commands.handle(fullscreenShown, (params) => void told.push(params));
  client.commands.handle(fullscreenOver, () => void told.push('over'));
  const paged: unknown[] = [];
  page.in(1).handle(pageAnswer, (params) => void paged.push(params));
  page.in(1).handle(pageLeave, () => void paged.push('leave'));
  cdp.answer('Page.createIsolatedWorld', () => ({ executionContextId: 7 }));
  cdp.answer('Runtime.evaluate', () => ({ result: { type: 'number' } }));
  await activate(host);
  const ask = async (id: number): Promise<void> => {
    page.in(1).send(pageAsks, { id });
    await flush();
  };
  const person = async (id: number | undefined, is_fullscreen: boolean): Promise<void> => {
    client.commands.send(fullscreen, { ...(id !== undefined && { id }), is_fullscreen });
    for (let turn = 0; turn < 3; turn++) await flush();
  };
  const state = async (isFull: boolean): Promise<void> => {
    page.in(1).send(pageState, { isFull, node: isFull ? 4 : 0, epoch: 1, seq: 0 });
    await flush();
  };
  return { ...harness, told: () => told.splice(0), paged: () => paged.splice(0), ask, person, state };
}

describe('a page that wants to fill the screen', () => {
  it('[R-054] waits for the person, with one question at a time, and gets the answer', async () => {
    const { ask, person, told, paged } = await start();
    await ask(1);
    await ask(2);
    expect(told()).toEqual([{ id: 1, site: 'site.test' }]);
    expect(paged()).toEqual([{ id: 2, granted: false }]);
    await person(9, true); // to a question that there is none of
    expect(told()).toEqual(['over']);
    expect(paged()).toEqual([]);
    await person(1, false);
    expect(paged()).toEqual([{ id: 1, granted: false }]);
    await ask(3);
    await person(2, true);
    expect(paged()).toEqual([{ id: 3, granted: true }]);
    await ask(4); // another element: the screen is the page's already
    expect(paged()).toEqual([{ id: 4, granted: true }]);
  });

  it('has the gesture of the person’s answer, in its own frame', async () => {
    const { ask, person, cdp } = await start();
    await ask(1);
    await person(1, true);
    expect(cdp.sent.at(-1)).toMatchObject({
      method: 'Runtime.evaluate',
      params: { contextId: 7, userGesture: true },
    });
  });

  it('is refused without a gesture', async () => {
    let hasGesture = false;
    const { ask, person, told, paged } = await start(() => hasGesture);
    await ask(1);
    expect(told()).toEqual([]);
    expect(paged()).toEqual([{ id: 1, granted: false }]);
    hasGesture = true;
    await ask(2);
    await person(1, true);
    expect(paged()).toEqual([{ id: 2, granted: true }]);
    hasGesture = false;
    await ask(3); // while it has the screen
    expect(paged()).toEqual([{ id: 3, granted: false }]);
  });

  it('is taken out when it has got in by itself, and when the person has left', async () => {
    const { state, ask, person, told, paged, client, flush } = await start();
    await state(true);
    expect([told(), paged()]).toEqual([[], ['leave']]);
    await ask(1);
    await person(1, true);
    await state(true);
    client.reached(1, 1, 0); // the client is told once it has what the page shows
    await flush();
    expect(told()).toEqual([expect.anything(), { frame: 1, epoch: 1, node: 4 }]);
    paged();
    await person(undefined, false);
    expect(paged()).toEqual(['leave']);
    await state(false);
    expect(told()).toEqual([]);
  });

  it.each(['leaves', 'fails', 'goes', 'crashes'])('gives the screen back when it %s', async (how) => {
    const { state, ask, person, told, page, flush, hostHooks } = await start();
    await ask(1);
    await person(1, true);
    told();
    if (how === 'leaves') await state(false);
    if (how === 'fails') page.in(1).send(pageFailed, { id: 1 });
    if (how === 'goes') hostHooks.navigated.call({ frame: 1, url: '', sameDocument: false });
    if (how === 'crashes') hostHooks.replaced.call({ reason: 'crashed' });
    await flush();
    expect(told()).toEqual(['over']);
  });

  it('keeps the screen when something else of it fails, and leaves it with what was let in', async () => {
    const { ask, person, told, paged, page, flush, frames } = await start();
    frames.load({ id: 2, url: 'https://other.test/' });
    const fail = async (frame: number, id: number): Promise<void> => {
      page.in(frame).send(pageFailed, { id });
      await flush();
    };
    await ask(1);
    await person(1, true);
    await ask(2); // a detached element
    told();
    paged();
    await fail(1, 2);
    await fail(2, 1);
    expect([told(), paged()]).toEqual([[], []]);
    await fail(1, 1);
    expect([told(), paged()]).toEqual([['over'], ['leave']]);
  });

  it('is refused what is not asked any more', async () => {
    const { ask, told, paged, state } = await start();
    await ask(1);
    told();
    await state(false);
    expect([told(), paged()]).toEqual([['over'], [{ id: 1, granted: false }]]);
  });

  it('is asked for again of a client that has been reloaded', async () => {
    const { ask, told, hostHooks, flush } = await start();
    await ask(1);
    hostHooks.clientAttached.call({ fresh: true });
    await flush();
    expect(told()).toEqual([
      { id: 1, site: 'site.test' },
      { id: 1, site: 'site.test' },
    ]);
  });
});
