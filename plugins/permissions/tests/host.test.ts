import { describe, expect, it } from 'vitest';
import { pluginHarness } from '../../../core/testing/harness.ts';
import { activate } from '../host/index.ts';
import { geolocationToken, OriginPermissions } from '../host/origin-permissions.ts';
import { Refusals, refusalsToken } from '../host/refusals.ts';
import { manifest } from '../manifest.ts';
import {
  pageAnswer,
  pageAsks,
  pageClears,
  perm,
  permissionRequest,
  permissionsOver,
  promiseResponse,
} from '../protocol.ts';
import type { PromiseOutcome } from '../protocol.ts';

const HERE = { ok: true, value: { latitude: 1, longitude: 2, accuracy: 3 } } as const satisfies PromiseOutcome;
const ORIGIN = 'https://site.test';

/** Simulates the person's browser. */
function person() {
  const permits: string[][] = [];
  const permissions = new OriginPermissions(async (origin, setting) => void permits.push([origin, setting]));
  return { permissions, permits };
}

async function start(isSupported = true, { permissions, permits } = person(), tabId = 'tab') {
  const harness = pluginHarness(manifest);
  const { client, host, page, cdp, flush, hostHooks } = harness;
  const received: unknown[] = [];
  client.commands.handle(permissionRequest, (params) => void received.push(params));
  client.commands.handle(permissionsOver, () => void received.push('over'));
  const answered: (number | string)[] = [];
  page.in(1).handle(pageAnswer, ({ id, isRefused }) => void answered.push(isRefused ? `${id} refused` : id));
  cdp.answer('Emulation.setGeolocationOverride', () => undefined);
  cdp.answer('Emulation.clearGeolocationOverride', () => undefined);
  const settings = host.tab.policy();
  const support = { is: isSupported };
  const tab = {
    ...host.tab,
    policy: () => ({ ...settings, permissions: { geolocation: support.is } }),
    id: tabId,
  };
  harness.hostServices.provide(geolocationToken, permissions);
  harness.hostServices.provide(refusalsToken, new Refusals());
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
  const clear = async (id: number): Promise<void> => {
    page.in(1).send(pageClears, { id });
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
    received: () => received.splice(0),
    answered: () => answered.splice(0),
    permits: () => permits.splice(0),
    positions,
    support,
    settle,
    goTo,
    ask,
    clear,
    decide,
    respond,
  };
}

describe('a page that requests the location of the person', () => {
  it('leaves a record of each decision, and counts who was asked', async () => {
    const { ask, decide, respond, recorded } = await start();
    await ask(1);
    await decide(7, true); // for another question
    expect(recorded.events).toEqual([]);
    await decide(1, true);
    await respond(1, HERE);
    await ask(2); // allowed already
    expect(recorded.events).toEqual([['decisions', { site: ORIGIN, permission: 'geolocation', decision: 'granted' }]]);
    expect(recorded.counts.get('requests')).toBe(1);
    await decide(1, true); // again
    await respond(2, { ok: false, code: 1 }); // the person's browser refuses meanwhile
    expect(recorded.events.slice(1)).toEqual([
      ['decisions', { site: ORIGIN, permission: 'geolocation', decision: 'denied' }],
    ]);
    const refusing = await start();
    await refusing.ask(1);
    await refusing.decide(1, false);
    expect(refusing.recorded.events).toEqual([
      ['decisions', { site: ORIGIN, permission: 'geolocation', decision: 'denied' }],
    ]);
  });

  it('[R-068] is denied by its browser where the policy does not mention it', async () => {
    const { ask, received, answered, permits, positions } = await start(false);
    await ask(1);
    expect([received(), answered(), permits(), positions()]).toEqual([[], [1], [], []]);
  });

  it('[R-090] [S-135] gets it once the person has allowed it, for all pending calls', async () => {
    const { ask, decide, respond, received, answered, permits, positions } = await start();
    expect(permits()).toEqual([[ORIGIN, 'prompt']]);
    await ask(1);
    await ask(2);
    expect(received()).toEqual([{ id: 1, name: 'geolocation', site: 'site.test', isGiven: false, stays: false }]);
    await respond(1, HERE); // before the decision
    expect([answered(), positions()]).toEqual([[], []]);
    await decide(7, true); // for another question
    expect(permits()).toEqual([]);
    await decide(1, true);
    expect(permits()).toEqual([[ORIGIN, 'granted']]);
    await respond(1, HERE);
    expect([answered(), positions()]).toEqual([[1, 2], [{ latitude: 1, longitude: 2, accuracy: 3 }]]);
    await ask(3);
    expect(received()).toMatchObject([{ id: 2, isGiven: true }]);
    await respond(2, { ok: false, code: 2 });
    expect([answered(), positions().at(-1)]).toEqual([[3], {}]);
  });

  it.each<[string, boolean, PromiseOutcome | undefined]>([
    ['the person', false, undefined],
    ['the person’s browser', true, { ok: false, code: 1 }],
  ])('is permanently denied by %s', async (_who, granted, outcome) => {
    const { ask, decide, respond, received, answered, permits } = await start();
    await ask(1);
    await decide(1, granted);
    if (outcome) await respond(1, outcome);
    expect(answered()).toEqual([1]);
    expect(permits().at(-1)).toEqual([ORIGIN, 'denied']);
    received();
    await ask(2);
    expect([received(), answered()]).toEqual([[], [2]]);
  });

  it('does not ask for frames of other sites', async () => {
    const { ask, frames, received, page } = await start();
    const answered: unknown[] = [];
    frames.load({ id: 2, url: 'https://other.test/' });
    page.in(2).handle(pageAnswer, (answer) => void answered.push(answer));
    await ask(5, false, 2);
    // Its browser would give it the permission of the embedding page.
    expect([received(), answered]).toEqual([[], [{ id: 5, isRefused: true }]]);
  });

  it.each([
    ['the page', 1],
    ['the frame', 2],
  ])('[L5] is refused without a question where the browser knows another origin of %s', async (_whose, forged) => {
    const { ask, frames, received, page, permits } = await start();
    permits();
    const answered: unknown[] = [];
    frames.load({ id: 2, url: `${ORIGIN}/inner` });
    frames.tellOrigin(forged, 'https://evil.test');
    page.in(2).handle(pageAnswer, (answer) => void answered.push(answer));
    await ask(5, false, 2);
    expect([received(), answered, permits()]).toEqual([[], [{ id: 5, isRefused: true }], []]);
  });

  it('[L5] is not taken for a page that was allowed, whatever origin it names after its question', async () => {
    const anna = person();
    const allowed = await start(true, anna, 'first');
    await allowed.ask(1);
    await allowed.decide(1, true);
    const { ask, clear, client, goTo, frames, hostHooks, received, settle } = await start(true, anna, 'second');
    frames.load({ id: 1, url: 'https://evil.test/' });
    await goTo('https://evil.test/');
    await ask(1);
    await ask(2, true);
    expect(received()).toEqual([expect.objectContaining({ site: 'evil.test', isGiven: false })]);
    frames.load({ id: 1, url: `${ORIGIN}/` });
    frames.tellOrigin(1, 'https://evil.test');
    await clear(9);
    hostHooks.clientAttached.call({ fresh: true });
    await settle();
    expect(received()).toEqual([expect.objectContaining({ site: 'evil.test', isGiven: false })]);
    client.commands.send(promiseResponse, { id: 2, outcome: HERE });
    await settle();
  });

  it('gets nothing more when it is closed, or the policy changes', async () => {
    const { ask, decide, respond, received, goTo, support, hostHooks, host, settle, permits, positions } =
      await start();
    await ask(1, true);
    await decide(1, true);
    await respond(1, HERE);
    received();
    await goTo();
    expect(received()).toEqual(['over']);
    await respond(1, HERE);
    expect(positions()).toHaveLength(1);
    support.is = false;
    permits();
    hostHooks.policyChanged.call({ policy: host.tab.policy() });
    await settle();
    expect(permits()).toEqual([[ORIGIN, 'denied']]);
  });

  it('keeps the permission when the person opens it in another tab, and when that is closed', async () => {
    const shared = person();
    const one = await start(true, shared, 'one');
    await one.ask(1);
    await one.decide(1, true);
    const two = await start(true, shared, 'two');
    await two.ask(1);
    expect(two.received()).toMatchObject([{ isGiven: true }]);
    two.disposeHost();
    await two.settle();
    expect(shared.permits).toEqual([
      [ORIGIN, 'prompt'],
      [ORIGIN, 'granted'],
    ]);
    one.disposeHost();
    await one.settle();
    expect(shared.permits.at(-1)).toEqual([ORIGIN, 'denied']);
  });

  it('loses it as soon as it is left, and gets it again on return', async () => {
    const { ask, decide, goTo, frames, permits } = await start();
    await ask(1);
    await decide(1, true);
    permits();
    frames.load({ id: 1, url: 'https://other.test/', parent: 0 });
    await goTo('https://other.test/');
    expect(permits()).toEqual([
      ['https://other.test', 'prompt'],
      [ORIGIN, 'denied'],
    ]);
    frames.load({ id: 1, url: `${ORIGIN}/`, parent: 0 });
    await goTo();
    expect(permits()).toEqual([
      [ORIGIN, 'granted'],
      ['https://other.test', 'denied'],
    ]);
  });

  it.each(['before', 'after'])('gets every change when it watches %s the person has answered', async (when) => {
    const { ask, decide, respond, received, answered, positions } = await start();
    await ask(1);
    if (when === 'before') await ask(2, true);
    await decide(1, true);
    if (when === 'after') await ask(2, true);
    expect(received()).toMatchObject([
      { id: 1, isGiven: false, stays: false },
      { id: 2, isGiven: true, stays: true },
    ]);
    await respond(2, HERE);
    await respond(2, { ok: false, code: 2 });
    expect([answered(), positions()]).toEqual([
      [1, 2],
      [HERE.value, {}],
    ]);
  });

  it('stops locating the person when it has cancelled', async () => {
    const { ask, clear, decide, respond, received, hostHooks, settle, frames } = await start();
    await ask(1);
    await decide(1, true);
    await respond(1, HERE);
    received();
    hostHooks.clientAttached.call({ fresh: true });
    await settle();
    expect(received()).toEqual([]);
    await ask(2, true);
    await ask(3, true);
    await clear(2);
    expect(received()).toMatchObject([{ id: 2, stays: true }]);
    await clear(3);
    expect(received()).toEqual(['over']);
    frames.load({ id: 2, url: `${ORIGIN}/frame` });
    await ask(1, true, 2);
    expect(received()).toMatchObject([{ id: 3 }]);
    frames.remove(2);
    await settle();
    expect(received()).toEqual(['over']);
  });

  it('has its pending calls rejected when its tab closes', async () => {
    const { ask, decide, respond, answered, cdp, disposeHost, settle } = await start();
    await ask(1);
    await decide(1, true);
    await respond(1, HERE);
    await ask(2);
    answered();
    disposeHost();
    await settle();
    expect(answered()).toEqual(['2 refused']);
    expect(cdp.sent.at(-1)?.method).toBe('Emulation.clearGeolocationOverride');
  });
});
