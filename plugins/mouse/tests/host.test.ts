import { describe, expect, it } from 'vitest';
import { pluginHarness } from '../../../core/testing/harness.ts';
import type { InputOptions } from '../../../core/testing/input.ts';
import type { ParamsOf } from '../../../host/plugin.ts';
import { activate } from '../host/index.ts';
import { manifest } from '../manifest.ts';
import { mouse, reportUserAction } from '../protocol.ts';

type MouseInput = ParamsOf<typeof mouse>;

/** The host half, with what the page has been sent as `frame: type button x y`. */
async function start(options: InputOptions = {}) {
  const { client, host, hostHooks, cdp, flush } = pluginHarness(manifest, options);
  await activate(host);
  const send = (type: MouseInput['type'], x: number, more: Partial<MouseInput> = {}, frame = 1): void =>
    client.commands.send(mouse, {
      ...{ type, target: { frame, epoch: 3, x, y: 5 }, screen_x: 0, screen_y: 0, movement_x: 0, movement_y: 0 },
      ...{ button: type === 'down' || type === 'up' ? 'left' : 'none', click_count: 0, modifiers: 0, ...more },
    });
  const events = async (): Promise<string[]> => {
    await flush();
    return cdp.sent.splice(0).map(({ frame, params }) => {
      const { type, button, x, y } = params as Readonly<Record<string, unknown>>; // as the half has made it
      return `${frame}: ${[type, button, x, y].join(' ')}`;
    });
  };
  return { send, events, hostHooks, cdp, flush };
}

describe('the mouse in the page', () => {
  it('[R-102] moves to where it is pressed, and says buttons, clicks and modifiers as CDP has them, also at the release', async () => {
    const { send, cdp, flush } = await start();
    send('down', 4, { click_count: 2, modifiers: 1 + 32 + 128 });
    send('up', 6, { click_count: 2, modifiers: 256 });
    await flush();
    const at = { pointerType: 'mouse', modifiers: 1 + 8, x: 4, y: 5 };
    expect(cdp.sent.map(({ params }) => params)).toEqual([
      { ...at, type: 'mouseMoved', button: 'none', buttons: 0 },
      { ...at, type: 'mousePressed', button: 'left', buttons: 1, clickCount: 2 },
      { ...at, type: 'mouseReleased', button: 'left', buttons: 0, clickCount: 2, modifiers: 4, x: 6 },
    ]);
  });

  it('drags by how far the page had moved at the press, and stays in the session where that began', async () => {
    const { send, events } = await start({ pointOf: ({ x, y }) => ({ x: x + 100, y }) });
    send('down', 4, { modifiers: 1 });
    send('move', 6, { modifiers: 1 });
    send('move', 50, { modifiers: 1 }, 2);
    send('leave', 50, { modifiers: 1 });
    send('up', 60, {}, 2);
    send('move', 7);
    expect(await events()).toEqual([
      '1: mouseMoved none 104 5',
      '1: mousePressed left 104 5',
      '1: mouseMoved left 106 5',
      '1: mouseMoved left 106 5',
      '1: mouseReleased left 106 5',
      '1: mouseMoved none 107 5',
    ]);
  });

  it('leaves the scroll bars of the page alone, but for menus and the ends of drags', async () => {
    const { send, events } = await start({ isScrollBar: ({ x }) => x > 90 });
    send('down', 95, { modifiers: 1 });
    send('up', 97);
    expect(await events()).toEqual([]);
    send('down', 95, { button: 'right', modifiers: 2 });
    send('up', 95, { button: 'right' });
    expect(await events()).toEqual([
      '1: mouseMoved none 95 5',
      '1: mousePressed right 95 5',
      '1: mouseReleased right 95 5',
    ]);
    send('down', 4, { modifiers: 1 });
    send('up', 95);
    expect(await events()).toEqual([
      '1: mouseMoved none 4 5',
      '1: mousePressed left 4 5',
      '1: mouseReleased left 95 5',
    ]);
  });

  it('releases what is dragged fast once the page has handled the movement, as it begins to drag only then', async () => {
    const { send, events, cdp } = await start();
    const handled: (() => void)[] = [];
    cdp.answer('Input.dispatchMouseEvent', () => new Promise((resolve) => handled.push(() => resolve({}))));
    send('down', 4, { modifiers: 1 });
    send('move', 40, { modifiers: 1 });
    send('up', 50);
    expect((await events()).at(-1)).toBe('1: mouseMoved left 40 5');
    for (const handle of handled.splice(0)) handle();
    expect(await events()).toEqual(['1: mouseReleased left 50 5']);
  });

  it('releases at once where nothing was dragged, and after a while where the page does not answer', async () => {
    const { send, events, cdp } = await start();
    cdp.answer('Input.dispatchMouseEvent', () => new Promise(() => undefined));
    send('down', 4, { modifiers: 1 });
    send('move', 6, { modifiers: 1 });
    send('up', 6);
    expect((await events()).at(-1)).toBe('1: mouseReleased left 6 5');
    send('down', 4, { modifiers: 1 });
    send('move', 40, { modifiers: 1 });
    send('up', 40);
    await expect.poll(async () => (await events()).at(-1)).toBe('1: mouseReleased left 40 5');
  });

  it('forgets a press whose release never came: with the next one, with movement without buttons, and with the page', async () => {
    const { send, events, hostHooks } = await start();
    for (const end of [
      () => send('down', 8, { modifiers: 1 }, 2),
      () => send('move', 8, {}, 2),
      () => hostHooks.replaced.call({ reason: 'crashed' }),
    ]) {
      send('down', 4, { modifiers: 1 });
      await events();
      end();
      await events();
      send('move', 9, { modifiers: 1 }, 2);
      expect(await events()).toEqual(['2: mouseMoved left 9 5']);
      send('move', 9);
      await events();
    }
  });

  it('[R-092] has a button come up outside that is pressed again, where its release was lost', async () => {
    const { send, events } = await start();
    send('down', 4, { modifiers: 1 });
    await events();
    send('down', 8, { modifiers: 1 });
    expect(await events()).toEqual([
      '1: mouseReleased left -1 -1',
      '1: mouseMoved none 8 5',
      '1: mousePressed left 8 5',
    ]);
  });

  it('leaves a frame, unless something is pressed, and loses what the page no longer has', async () => {
    const { send, events } = await start({ pointOf: ({ x, y }) => (x === 0 ? undefined : { x, y }) });
    send('leave', 3, {}, 2);
    send('move', 0);
    send('down', 0, { modifiers: 1 });
    expect(await events()).toEqual(['2: mouseMoved none -1 -1']);
  });

  it.each(['away', 'gone'] as const)(
    'has its buttons come up outside, where nothing is clicked, once the person is %s',
    async (reason) => {
      const { send, events, hostHooks } = await start();
      send('down', 4, { modifiers: 1 }, 2);
      send('down', 4, { modifiers: 3, button: 'right' }, 2);
      await events();
      hostHooks.inputLost.call({ reason });
      expect(await events()).toEqual(['2: mouseReleased left -1 -1', '2: mouseReleased right -1 -1']);
      send('up', 4, {}, 2); // what comes late
      hostHooks.inputLost.call({ reason });
      expect(await events()).toEqual([]);
    },
  );

  it('has a button come up whose release was lost, before the next event', async () => {
    const { send, events } = await start();
    send('down', 4, { modifiers: 1 });
    await events();
    send('move', 9);
    expect(await events()).toEqual(['1: mouseReleased left -1 -1', '1: mouseMoved none 9 5']);
  });
});

it('[R-088] takes a press that the page does not hear of for an act of the person, if the browser vouches for it', async () => {
  const { client, host, flush } = pluginHarness(manifest);
  await activate(host);
  const { actedAt } = host.input.gesture;
  client.commands.send(reportUserAction, { action: 'picker', flag: false });
  await flush();
  expect(host.input.gesture.actedAt).toBe(actedAt);
  client.commands.send(reportUserAction, { action: 'picker', flag: true });
  await flush();
  expect(host.input.gesture.actedAt).toBeGreaterThan(actedAt);
});
