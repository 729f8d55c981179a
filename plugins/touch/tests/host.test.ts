import { describe, expect, it } from 'vitest';
import { pluginHarness } from '../../../core/testing/harness.ts';
import type { InputOptions } from '../../../core/testing/input.ts';
import type { ParamsOf } from '../../../host/plugin.ts';
import { activate } from '../host/index.ts';
import { manifest } from '../manifest.ts';
import { answered, blocking, pageAnswered, pageBlocking, pageGesture, panned, touch } from '../protocol.ts';

type TouchInput = ParamsOf<typeof touch>;
type Touched = readonly [id: number, x: number, frame?: number];

/** The host half, with what the page has been sent as `frame: type id@x,y ...`. */
async function start(options: InputOptions = {}) {
  const { client, host, hostHooks, page, cdp, flush } = pluginHarness(manifest, options);
  await activate(host);
  const send = (phase: TouchInput['phase'], event_id: number, ...touched: Touched[]): void =>
    client.commands.send(touch, {
      frame: 1,
      phase,
      event_id,
      modifiers: 32,
      touches: touched.map(([id, x, frame = 1]) => ({
        id,
        target: { frame, epoch: 3, x, y: 5 },
        radius_x: 25,
        radius_y: 20,
        force: 0.5,
      })),
    });
  const events = async (): Promise<string[]> => {
    await flush();
    return cdp.sent.splice(0).map(({ frame, params }) => {
      const { type, touchPoints } = params as { type: string; touchPoints: { id: number; x: number; y: number }[] }; // as the half has made it
      return [`${frame}: ${type}`, ...touchPoints.map(({ id, x, y }) => `${id}@${x},${y}`)].join(' ');
    });
  };
  return { client, page, send, events, hostHooks, cdp, flush };
}

describe('fingers in the page', () => {
  it('[R-094] come down, move and come up there, each with its number, size and force', async () => {
    const { send, events, cdp, flush } = await start({ pointOf: ({ x, y }) => ({ x: x + 100, y }) });
    send('start', 1, [0, 4]);
    await flush();
    expect(cdp.sent[0]).toMatchObject({
      method: 'Input.dispatchTouchEvent',
      params: { modifiers: 8, touchPoints: [{ radiusX: 25, radiusY: 20, force: 0.5 }] },
    });
    send('start', 1, [1, 50]);
    send('move', 1, [0, 6], [1, 60]);
    await flush();
    send('end', 1, [0, 6]);
    send('move', 1, [1, 70]);
    send('end', 1, [1, 70]);
    expect(await events()).toEqual([
      '1: touchStart 0@104,5',
      '1: touchStart 1@150,5',
      '1: touchMove 0@106,5 1@160,5',
      '1: touchEnd 0@6,5',
      '1: touchMove 1@170,5',
      '1: touchEnd',
    ]);
  });

  it('belong to the session of the first one, and to the gesture that goes on', async () => {
    const { send, events } = await start();
    send('start', 1, [0, 4]);
    send('start', 1, [1, 50, 2]);
    send('move', 1, [0, 20], [1, 60, 2]);
    send('move', 9, [0, 30]);
    send('end', 9, [0, 30]);
    expect(await events()).toEqual(['1: touchStart 0@4,5', '1: touchMove 0@20,5']);
    send('start', 2, [0, 40]);
    send('cancel', 2, [0, 40]);
    send('end', 2, [0, 40]);
    expect(await events()).toEqual(['1: touchCancel', '1: touchStart 0@40,5', '1: touchCancel']);
  });

  it('are taken away where the client is gone, and forgotten with their page', async () => {
    const { send, events, hostHooks } = await start();
    send('start', 1, [0, 4]);
    await events();
    hostHooks.inputLost.call({ reason: 'client-gone' } as never);
    send('end', 1, [0, 4]);
    expect(await events()).toEqual(['1: touchCancel']);
    send('start', 2, [0, 4]);
    await events();
    hostHooks.replaced.call({} as never);
    send('end', 2, [0, 4]);
    expect(await events()).toEqual([]);
  });

  it('end the pointers of the page with which the view scrolls, and are no tap after a menu', async () => {
    const { client, page, send, flush } = await start();
    const kinds: string[] = [];
    page.in(1).handle(pageGesture, ({ kind }) => void kinds.push(kind));
    client.commands.send(panned, { frame: 1, event_id: 1 });
    send('start', 2, [0, 4]);
    client.commands.send(panned, { frame: 1, event_id: 1 });
    await flush();
    expect(kinds).toEqual([]);
    client.commands.send(panned, { frame: 1, event_id: 2 });
    send('hold', 2);
    await flush();
    expect(kinds).toEqual(['pan', 'hold']);
  });

  it('hear whether the page keeps the gesture that goes on', async () => {
    const { client, page, send, flush } = await start();
    const answers: unknown[] = [];
    client.commands.handle(answered, (answer) => void answers.push(answer));
    page.in(1).send(pageAnswered, { is_kept: true });
    send('start', 7, [0, 4]);
    await flush();
    page.in(1).send(pageAnswered, { is_kept: false });
    await flush();
    expect(answers).toEqual([{ event_id: 7, is_kept: false }]);
  });

  it('hear in whose frame listeners may keep a gesture', async () => {
    const { client, page, flush } = await start();
    const heard: unknown[] = [];
    client.commands.handle(blocking, (each) => void heard.push(each));
    page.in(1).send(pageBlocking, { is_blocking: true });
    await flush();
    expect(heard).toEqual([{ frame: 1, is_blocking: true }]);
  });
});
