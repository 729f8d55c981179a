import { expect, it } from 'vitest';
import { pluginHarness } from '../../../core/testing/harness.ts';
import { activate } from '../host/index.ts';
import { manifest } from '../manifest.ts';
import { wheel } from '../protocol.ts';

it('[R-092] [R-102] turns the wheel in the page where the target is, unless the view has scrolled by it', async () => {
  const { client, host, cdp, flush } = pluginHarness(manifest, { pointOf: ({ x, y }) => ({ x: x + 1, y }) });
  await activate(host);
  const turn = { target: { frame: 2, x: 4, y: 5 }, delta_x: 3, delta_y: -7, wheel_delta_x: 0, wheel_delta_y: 0 };
  client.commands.send(wheel, { ...turn, handled: false, modifiers: 32 });
  client.commands.send(wheel, { ...turn, handled: true, modifiers: 0 });
  await flush();
  expect(cdp.sent).toEqual([
    {
      frame: 2,
      method: 'Input.dispatchMouseEvent',
      params: { type: 'mouseWheel', x: 5, y: 5, deltaX: 3, deltaY: -7, modifiers: 8, pointerType: 'mouse' },
    },
  ]);
});
