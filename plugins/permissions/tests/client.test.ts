import { afterEach, expect, it, vi } from 'vitest';
import { pluginHarness } from '../../../core/testing/harness.ts';
import { activate } from '../client/index.ts';
import { manifest } from '../manifest.ts';
import { perm, permissionRequest, permissionsOver, promiseResponse } from '../protocol.ts';

afterEach(() => void vi.unstubAllGlobals());

const HERE = { latitude: 1, longitude: 2, accuracy: 3 };

/** The client half in a browser that knows where it is, with what the host hears of it. */
async function start(denied?: number) {
  const { client, host, overlay, flush } = pluginHarness(manifest);
  let asked = 0;
  const cleared: number[] = [];
  const getCurrentPosition = (found: (position: object) => void, failed: (error: object) => void): number => {
    asked += 1;
    if (denied === undefined) found({ coords: { ...HERE, speed: 4 } });
    else failed({ code: denied });
    return 7;
  };
  const geolocation = {
    getCurrentPosition,
    watchPosition: getCurrentPosition,
    clearWatch: (watch: number) => void cleared.push(watch),
  };
  vi.stubGlobal('navigator', { geolocation });
  const heard: unknown[] = [];
  for (const each of [perm, promiseResponse])
    host.commands.handle(each as typeof perm, (params) => void heard.push([each.name, params]));
  await activate(client);
  const request = async (id: number, isGiven = false, stays = false): Promise<void> => {
    host.commands.send(permissionRequest, { id, name: 'geolocation', site: 'site.test', isGiven, stays });
    await flush();
  };
  const answer = async (outcome: unknown): Promise<void> => {
    overlay.asked[0]?.answer(outcome);
    await flush();
  };
  return { heard, request, answer, host, overlay, flush, cleared, asked: () => asked };
}

it('[R-090] what the person allows is sent as such, and then the position alone', async () => {
  const { heard, request, answer } = await start();
  await request(1);
  expect(heard).toEqual([]);
  await answer(true);
  expect(heard).toEqual([
    ['perm', { id: 1, name: 'geolocation', granted: true }],
    ['promise-response', { id: 1, outcome: { ok: true, value: HERE } }],
  ]);
});

it.each([false, undefined])('[R-090] the answer %j is sent as a refusal, and the browser is not asked', async (no) => {
  const { heard, request, answer, asked } = await start();
  await request(1);
  await answer(no);
  expect(heard).toEqual([['perm', { id: 1, name: 'geolocation', granted: false }]]);
  expect(asked()).toBe(0);
});

it('[R-090] a question that is over, or whose place another takes, is no decision', async () => {
  const { heard, request, host, overlay, flush } = await start();
  await request(1);
  await request(2);
  expect(overlay.asked).toHaveLength(1);
  host.commands.send(permissionsOver, undefined);
  await flush();
  expect([overlay.asked, heard]).toEqual([[], []]);
});

it('[R-090] the person is not asked for what they have allowed', async () => {
  const { heard, request, overlay } = await start();
  await request(1, true);
  expect(overlay.asked).toEqual([]);
  expect(heard).toEqual([['promise-response', { id: 1, outcome: { ok: true, value: HERE } }]]);
});

it.each([
  [1, 1],
  [2, 2],
  [3, 3],
  [9, 2],
])('[S-135] the reason %i of a browser that tells no position is sent as %i', async (code, sent) => {
  const { heard, request, flush } = await start(code);
  await request(1, true);
  await flush();
  expect(heard).toEqual([['promise-response', { id: 1, outcome: { ok: false, code: sent } }]]);
});

it('[S-135] the browser stops looking where the person is once the page is over', async () => {
  const { request, host, flush, cleared } = await start();
  await request(1, true, true);
  expect(cleared).toEqual([]);
  host.commands.send(permissionsOver, undefined);
  await flush();
  expect(cleared).toEqual([7]);
});
