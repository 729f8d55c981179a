import { describe, expect, it } from 'vitest';
import { pluginHarness } from '../../../core/testing/harness.ts';
import { activate } from '../host/index.ts';
import { manifest } from '../manifest.ts';
import { pageAnswer, pageAsks, perm, permissionRequest, permissionsOver, promiseResponse } from '../protocol.ts';
import type { PromiseOutcome } from '../protocol.ts';

const HERE: PromiseOutcome = { ok: true, value: { latitude: 1, longitude: 2, accuracy: 3 } };
const ORIGIN = 'https://site.test';

async function start(isSupported = true) {
  const harness = pluginHarness(manifest);
  const { client, host, page, cdp, flush, hostHooks } = harness;
  const told: unknown[] = [];
  client.commands.handle(permissionRequest, (params) => void told.push(params));
  client.commands.handle(permissionsOver, () => void told.push('over'));
  const answered: number[] = [];
  page.in(1).handle(pageAnswer, ({ id }) => void answered.push(id));
  cdp.answer('Emulation.setGeolocationOverride', () => undefined);
  cdp.answer('Emulation.clearGeolocationOverride', () => undefined);
  const permits: string[][] = [];
  const settings = host.tab.policy();
  const support = { is: isSupported };
  const tab = {
    ...host.tab,
    policy: () => ({ ...settings, permissions: { geolocation: support.is } }),
    permit: async (name: string, origin: string, setting: string) => void permits.push([name, origin, setting]),
  };
  await activate({ ...host, tab });
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 3; turn++) await flush();
  };
  const goTo = async (url = `${ORIGIN}/`): Promise<void> => {
    hostHooks.navigated.call({ frame: 1, url, sameDocument: false });
    await settle();
  };
  const ask = async (id: number, stays = false, frame = 1): Promise<void> => {
    page.in(frame).send(pageAsks, { id, stays });
    await settle();
  };
  const decide = async (id: number, granted: boolean): Promise<void> => {
    client.commands.send(perm, { id, name: 'geolocation', granted });
    await settle();
  };
  const respond = async (id: number, outcome: PromiseOutcome): Promise<void> => {
    client.commands.send(promiseResponse, { id, outcome });
    await settle();
  };
  await goTo();
  const positions = (): unknown[] =>
    cdp.sent.filter(({ method }) => method === 'Emulation.setGeolocationOverride').map(({ params }) => params);
  return {
    ...harness,
    told: () => told.splice(0),
    answered: () => answered.splice(0),
    permits: () => permits.splice(0),
    positions,
    support,
    settle,
    goTo,
    ask,
    decide,
    respond,
  };
}

describe('a page that wants to know where the person is', () => {
  it('[R-068] is refused by its browser where the policy says nothing of it', async () => {
    const { ask, told, answered, permits, positions } = await start(false);
    await ask(1);
    expect([told(), answered(), permits(), positions()]).toEqual([[], [1], [], []]);
  });

  it('[R-090] [S-135] is told once the person has allowed it, all of its calls at once', async () => {
    const { ask, decide, respond, told, answered, permits, positions } = await start();
    expect(permits()).toEqual([['geolocation', ORIGIN, 'prompt']]);
    await ask(1);
    await ask(2);
    expect(told()).toEqual([{ id: 1, name: 'geolocation', site: 'site.test', isGiven: false, stays: false }]);
    await respond(1, HERE); // before the decision
    expect([answered(), positions()]).toEqual([[], []]);
    await decide(7, true); // of another question
    expect(permits()).toEqual([]);
    await decide(1, true);
    expect(permits()).toEqual([['geolocation', ORIGIN, 'granted']]);
    await respond(1, HERE);
    expect([answered(), positions()]).toEqual([[1, 2], [{ latitude: 1, longitude: 2, accuracy: 3 }]]);
    await ask(3);
    expect(told()).toMatchObject([{ id: 2, isGiven: true }]);
    await respond(2, { ok: false, code: 2 });
    expect([answered(), positions().at(-1)]).toEqual([[3], {}]);
  });

  it.each<[string, boolean, PromiseOutcome | undefined]>([
    ['the person', false, undefined],
    ['the person’s browser', true, { ok: false, code: 1 }],
  ])('is refused for good by %s', async (_who, granted, outcome) => {
    const { ask, decide, respond, told, answered, permits } = await start();
    await ask(1);
    await decide(1, granted);
    if (outcome) await respond(1, outcome);
    expect(answered()).toEqual([1]);
    expect(permits().at(-1)).toEqual(['geolocation', ORIGIN, 'denied']);
    told();
    await ask(2);
    expect([told(), answered()]).toEqual([[], [2]]);
  });

  it('does not ask for frames of other sites', async () => {
    const { ask, frames, told, page } = await start();
    const answered: number[] = [];
    frames.load({ id: 2, url: 'https://other.test/' });
    page.in(2).handle(pageAnswer, ({ id }) => void answered.push(id));
    await ask(5, false, 2);
    expect([told(), answered]).toEqual([[], [5]]);
  });

  it('is told nothing more when it goes, or the policy does', async () => {
    const { ask, decide, respond, told, goTo, support, hostHooks, host, settle, permits, positions } = await start();
    await ask(1, true);
    await decide(1, true);
    await respond(1, HERE);
    told();
    await goTo();
    expect(told()).toEqual(['over']);
    await respond(1, HERE);
    expect(positions()).toHaveLength(1);
    support.is = false;
    permits();
    hostHooks.policyChanged.call({ policy: host.tab.policy() });
    await settle();
    expect(permits()).toEqual([['geolocation', ORIGIN, 'denied']]);
  });
});
