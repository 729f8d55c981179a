import { expect, it, vi } from 'vitest';
import { pluginHarness } from '../../../core/testing/harness.ts';
import { pageMarkToken } from '../../../host/plugin.ts';
import { activate } from '../host/index.ts';
import { manifest } from '../manifest.ts';
import { watermarkShow } from '../protocol.ts';

it('sends the watermark of the policy when it changes, and to a reloaded client', async () => {
  const { client, host, hostHooks, flush } = pluginHarness(manifest);
  let watermark: { text: string | undefined; print: boolean } = { text: undefined, print: true };
  vi.spyOn(host.tab, 'policy').mockImplementation(() => ({ watermark }) as never); // the only part that is used
  const received: unknown[] = [];
  client.commands.handle(watermarkShow, (params) => void received.push(params));
  await activate(host);
  const after = async (happen: () => void): Promise<unknown[]> => {
    happen();
    await flush();
    return received.splice(0);
  };
  const changed = (): void => hostHooks.policyChanged.call({ policy: {} as never }); // not used
  expect(await after(() => hostHooks.clientAttached.call({ fresh: true }))).toEqual([]);
  watermark = { text: 'For {user}, {time}, {user}', print: false };
  const text = 'For person, {time}, person';
  expect(await after(changed)).toEqual([{ text, print: false }]);
  expect(await after(() => hostHooks.navigated.call({ frame: 1, url: '', sameDocument: true }))).toEqual([]);
  watermark = { ...watermark, print: true };
  expect(await after(() => hostHooks.navigated.call({ frame: 2, url: '', sameDocument: false }))).toEqual([]);
  expect(await after(() => hostHooks.navigated.call({ frame: 1, url: '', sameDocument: false }))).toEqual([
    { text, print: true },
  ]);
  expect(await after(() => hostHooks.clientAttached.call({ fresh: false }))).toEqual([]);
  expect(await after(() => hostHooks.clientAttached.call({ fresh: true }))).toEqual([{ text, print: true }]);
  watermark = { text: undefined, print: true };
  expect(await after(changed)).toEqual([{ text: '', print: true }]);
});

it('is cut where names make it too long, and replaces nothing inside a name', async () => {
  const { client, host, hostHooks, flush } = pluginHarness(manifest);
  vi.spyOn(host.tab, 'policy').mockImplementation(
    () => ({ watermark: { text: '{user}'.repeat(100), print: false } }) as never, // the only part that is used
  );
  const received: { readonly text: string }[] = [];
  client.commands.handle(watermarkShow, (params) => void received.push(params));
  const person = `{time}${'x'.repeat(94)}`;
  await activate({ ...host, tab: { ...host.tab, person } });
  hostHooks.clientAttached.call({ fresh: true });
  await flush();
  expect(received[0]?.text).toHaveLength(2000);
  expect(received[0]?.text).not.toContain('{time}');
});

it('marks printed pages where the policy requires it, for every printer', async () => {
  const { host } = pluginHarness(manifest);
  let watermark: { text: string | undefined; print: boolean } = { text: 'For {user}, {time}', print: true };
  vi.spyOn(host.tab, 'policy').mockImplementation(() => ({ watermark }) as never); // the only part that is used
  await activate(host);
  const mark = host.services.get(pageMarkToken);
  expect(mark.printed()).toBe('For person, {time}');
  watermark = { ...watermark, print: false };
  expect(mark.printed()).toBe('');
  watermark = { text: undefined, print: true };
  expect(mark.printed()).toBe('');
});
