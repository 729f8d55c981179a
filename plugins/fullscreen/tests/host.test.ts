import { describe, expect, it } from 'vitest';
import { pluginHarness } from '../../../core/testing/harness.ts';
import { activate } from '../host/index.ts';
import { manifest } from '../manifest.ts';
import { fullscreen, fullscreenOver, fullscreenRequest, fullscreenShown } from '../protocol.ts';
import { pageAnswer, pageAsks, pageFailed, pageLeave, pageState } from '../protocol.ts';

async function start(hasGesture = () => true) {
  const harness = pluginHarness(manifest, { hasGesture });
  const { client, host, page, cdp, flush } = harness;
  const received: unknown[] = [];
  client.commands.handle(fullscreenRequest, (params) => void received.push(params));
  client.commands.handle(fullscreenShown, (params) => void received.push(params));
  client.commands.handle(fullscreenOver, () => void received.push('over'));
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
  return { ...harness, received: () => received.splice(0), paged: () => paged.splice(0), ask, person, state };
}

describe('a page that requests full screen', () => {
  it('[L5] is named by the origin that the browser knows, not by that which the page claims', async () => {
    const { ask, frames, received } = await start();
    frames.tellOrigin(1, 'https://evil.test');
    await ask(1);
    expect(received()).toEqual([{ id: 1, site: 'evil.test' }]);
  });

  it('[R-054] waits for the person, with one question at a time, and gets the answer', async () => {
    const { ask, person, received, paged } = await start();
    await ask(1);
    await ask(2);
    expect(received()).toEqual([{ id: 1, site: 'site.test' }]);
    expect(paged()).toEqual([{ id: 2, granted: false }]);
    await person(9, true); // to an unknown question
    expect(received()).toEqual(['over']);
    expect(paged()).toEqual([]);
    await person(1, false);
    expect(paged()).toEqual([{ id: 1, granted: false }]);
    await ask(3);
    await person(2, true);
    expect(paged()).toEqual([{ id: 3, granted: true }]);
    await ask(4); // another element: the page is already in full screen
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
    const { ask, person, received, paged } = await start(() => hasGesture);
    await ask(1);
    expect(received()).toEqual([]);
    expect(paged()).toEqual([{ id: 1, granted: false }]);
    hasGesture = true;
    await ask(2);
    await person(1, true);
    expect(paged()).toEqual([{ id: 2, granted: true }]);
    hasGesture = false;
    await ask(3); // while it is in full screen
    expect(paged()).toEqual([{ id: 3, granted: false }]);
  });

  it('is removed from full screen when it entered without permission, and when the person has left', async () => {
    const { state, ask, person, received, paged, client, flush } = await start();
    await state(true);
    expect([received(), paged()]).toEqual([[], ['leave']]);
    await ask(1);
    await person(1, true);
    await state(true);
    client.reached(1, 1, 0); // the client is notified once it has the element
    await flush();
    expect(received()).toEqual([expect.anything(), { frame: 1, epoch: 1, node: 4 }]);
    paged();
    await person(undefined, false);
    expect(paged()).toEqual(['leave']);
    await state(false);
    expect(received()).toEqual([]);
  });

  it.each(['leaves', 'fails', 'goes', 'crashes'])('leaves full screen when it %s', async (how) => {
    const { state, ask, person, received, page, flush, hostHooks } = await start();
    await ask(1);
    await person(1, true);
    received();
    if (how === 'leaves') await state(false);
    if (how === 'fails') page.in(1).send(pageFailed, { id: 1 });
    if (how === 'goes') hostHooks.navigated.call({ frame: 1, url: '', sameDocument: false });
    if (how === 'crashes') hostHooks.replaced.call({ reason: 'crashed' });
    await flush();
    expect(received()).toEqual(['over']);
  });

  it('stays in full screen when another request fails, and leaves with the permitted one', async () => {
    const { ask, person, received, paged, page, flush, frames } = await start();
    frames.load({ id: 2, url: 'https://other.test/' });
    const fail = async (frame: number, id: number): Promise<void> => {
      page.in(frame).send(pageFailed, { id });
      await flush();
    };
    await ask(1);
    await person(1, true);
    await ask(2); // a detached element
    received();
    paged();
    await fail(1, 2);
    await fail(2, 1);
    expect([received(), paged()]).toEqual([[], []]);
    await fail(1, 1);
    expect([received(), paged()]).toEqual([['over'], ['leave']]);
  });

  it('is rejected for a cancelled question', async () => {
    const { ask, received, paged, state } = await start();
    await ask(1);
    received();
    await state(false);
    expect([received(), paged()]).toEqual([['over'], [{ id: 1, granted: false }]]);
  });

  it('[R-054] leaves full screen when the client is reloaded, which is not in it', async () => {
    const { ask, person, state, paged, hostHooks, flush } = await start();
    await ask(1);
    await person(1, true);
    await state(true);
    paged();
    hostHooks.clientAttached.call({ fresh: true });
    await flush();
    expect(paged()).toEqual(['leave']);
  });

  it('[R-054] leaves full screen in each frame once the person has left it', async () => {
    const { ask, person, state, page, flush, frames } = await start();
    frames.load({ id: 2, url: 'https://other.test/' });
    let left = 0;
    page.in(2).handle(pageLeave, () => void (left += 1));
    await ask(1);
    await person(1, true);
    await state(true);
    await person(undefined, false);
    await flush();
    expect(left).toBe(1);
  });

  it('is asked about again in a reloaded client', async () => {
    const { ask, received, hostHooks, flush } = await start();
    await ask(1);
    hostHooks.clientAttached.call({ fresh: true });
    await flush();
    expect(received()).toEqual([
      { id: 1, site: 'site.test' },
      { id: 1, site: 'site.test' },
    ]);
  });
});
