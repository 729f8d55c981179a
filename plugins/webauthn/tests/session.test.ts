import { expect, it, vi } from 'vitest';
import { PATIENCE_MS } from '../../../core/testing/patience.ts';
import type { ExtensionHandler, SessionScope, SessionTab } from '../../../host/plugin.ts';
import type { CredentialDesk } from '../host/credentials.ts';
import { activateSession } from '../host/session.ts';

const ORIGIN = 'https://bank.test';
type Frames = readonly (readonly [id: number, claimed: string, known: string])[];

/** A tab that the person has pressed in; its frames claim origins, and the browser's process knows others. */
function tab(id: string, actedAt: number, frames: Frames, isActive = true): SessionTab {
  return {
    id,
    frames: () => frames.map(([frame, origin]) => ({ id: frame, parent: 0, url: '', origin, mimeType: '' })),
    originOf: async (frame) => frames.find(([each]) => each === frame)?.[2] ?? 'null',
    gesture: { isActive: () => isActive, actedAt },
  } as Partial<SessionTab> as SessionTab; // all that is asked of it
}

/** Runs the session's half over tabs. `call` is a call of the extension, `logged` what went wrong. */
async function serve(tabs: readonly SessionTab[]) {
  let handler: ExtensionHandler | undefined;
  const desk: CredentialDesk[] = [];
  const logged: unknown[] = [];
  const scope = {
    session: { tabs: () => tabs },
    surrogate: { onExtensionCall: (given: ExtensionHandler) => (handler = given) },
    services: { provide: (_token: unknown, provided: CredentialDesk) => desk.push(provided) },
    log: { error: (_text: string, facts: unknown) => logged.push(facts) },
  };
  await activateSession(scope as unknown as SessionScope); // all that is used of it
  const call = async (value: unknown, workerGone = new AbortController().signal): Promise<unknown> =>
    handler?.(value, workerGone);
  return { desk: desk[0]!, logged, call };
}

/** The extension's call for a credential of an origin. */
function callOf(isSameOrigin = true, requestId = 1, origin = ORIGIN) {
  const caller = { remoteDesktopClientOverride: { origin, sameOriginWithAncestors: isSameOrigin } };
  return { kind: 'get', requestId, options: JSON.stringify({ challenge: 'AAAA', extensions: caller }) };
}

/** Asks for a credential of an origin; returns the tab that is asked. */
async function askedOf(tabs: readonly SessionTab[], isSameOrigin = true): Promise<string | undefined> {
  const { desk, call } = await serve(tabs);
  let asked: string | undefined;
  for (const { id } of tabs)
    desk.handle(id, () => {
      asked = id;
      return Promise.resolve({ ok: false, error: 'NotAllowedError' });
    });
  await call(callOf(isSameOrigin));
  return asked;
}

const REFUSED = { error: { name: 'NotAllowedError', message: '' } };

it('a request goes to the tab with the latest press that shows its origin', async () => {
  const tabs = [
    tab('old', 1, [[1, ORIGIN, ORIGIN]]),
    tab('latest', 3, [[1, ORIGIN, ORIGIN]]),
    tab('other', 4, [[1, 'https://other.test', 'https://other.test']]),
    tab('idle', 5, [[1, ORIGIN, ORIGIN]], false),
  ];
  expect(await askedOf(tabs)).toBe('latest');
});

it('a page that claims the origin of another tab does not get its request', async () => {
  const honest = tab('honest', 1, [[1, ORIGIN, ORIGIN]]);
  const liar = tab('liar', 2, [
    [1, ORIGIN, 'https://evil.test'],
    [2, ORIGIN, 'null'],
  ]);
  expect(await askedOf([liar, honest])).toBe('honest');
  expect(await askedOf([liar, honest], false)).toBe('honest');
  expect(await askedOf([liar])).toBeUndefined();
});

it('a request of a whole page is not one of a tab that embeds its origin', async () => {
  const embedding = tab('embedding', 2, [
    [1, 'https://shop.test', 'https://shop.test'],
    [2, ORIGIN, ORIGIN],
  ]);
  expect(await askedOf([embedding])).toBeUndefined();
  expect(await askedOf([embedding], false)).toBe('embedding');
});

it('[R-108] the page gets the credential as JSON, or the name of the exception', async () => {
  const { desk, call } = await serve([tab('page', 1, [[1, ORIGIN, ORIGIN]])]);
  expect(await call(callOf())).toEqual(REFUSED); // nobody handles the tab yet
  const stop = desk.handle('page', () => Promise.resolve({ ok: true, response: { id: 'AQID' } }));
  expect(await call(callOf())).toEqual({ responseJson: '{"id":"AQID"}' });
  stop();
  desk.handle('page', () => Promise.resolve({ ok: false, error: 'SecurityError' }));
  expect(await call(callOf())).toEqual({ error: { name: 'SecurityError', message: '' } });
});

it('[R-108] a request that does not say who asks is asked of no tab', async () => {
  const { desk, call } = await serve([tab('page', 1, [[1, ORIGIN, ORIGIN]])]);
  desk.handle('page', () => Promise.resolve({ ok: true, response: {} }));
  for (const options of ['{}', '{"extensions":{"remoteDesktopClientOverride":{"origin":"https://bank.test"}}}'])
    expect(await call({ kind: 'create', requestId: 1, options })).toEqual(REFUSED);
  expect(await call(callOf(true, 1, 'https://elsewhere.test'))).toEqual(REFUSED);
  expect(await call(callOf())).toEqual({ responseJson: '{}' });
});

it('what is no call of the extension is not answered, nor one whose options are too long', async () => {
  const { desk, call } = await serve([tab('page', 1, [[1, ORIGIN, ORIGIN]])]);
  desk.handle('page', () => Promise.resolve({ ok: true, response: {} }));
  const long = (length: number) => ({ ...callOf(), options: callOf().options.padEnd(length) });
  for (const value of [undefined, {}, { ...callOf(), kind: 'store' }, { ...callOf(), options: '{' }, long(200_001)])
    expect(await call(value)).toBeUndefined();
  expect(await call(long(200_000))).toEqual({ responseJson: '{}' });
});

it('[R-108] a request ends with its own cancellation, or with the worker that has asked', async () => {
  const { desk, call } = await serve([tab('page', 1, [[1, ORIGIN, ORIGIN]])]);
  const ended: number[] = [];
  let begun = 0;
  desk.handle('page', ({ signal }) => {
    const own = (begun += 1);
    return new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        ended.push(own);
        resolve({ ok: false, error: 'NotAllowedError' });
      });
    });
  });
  const worker = new AbortController();
  const first = call(callOf(true, 1));
  const second = call(callOf(true, 2), worker.signal);
  await vi.waitFor(() => expect(begun).toBe(2), PATIENCE_MS);
  expect(await call({ kind: 'cancel', requestId: 9 })).toBeUndefined();
  expect(ended).toEqual([]);
  expect(await call({ kind: 'cancel', requestId: 1 })).toBeUndefined();
  expect(await first).toEqual(REFUSED);
  expect(ended).toEqual([1]);
  worker.abort();
  expect(await second).toEqual(REFUSED);
  expect(ended).toEqual([1, 2]);
});

it('a request that fails is in the log', async () => {
  const { desk, call, logged } = await serve([tab('page', 1, [[1, ORIGIN, ORIGIN]])]);
  desk.handle('page', () => Promise.reject(new Error('gone')));
  await expect(call(callOf())).rejects.toThrow('gone');
  expect(logged).toEqual([{ error: 'gone' }]);
});

it('of a tab’s frames that claim an origin twenty are asked for the one that they have', async () => {
  const claiming = (count: number): Frames =>
    Array.from({ length: count }, (_, at) => [at + 2, ORIGIN, at === count - 1 ? ORIGIN : 'null'] as const);
  expect(await askedOf([tab('page', 1, claiming(20))], false)).toBe('page');
  expect(await askedOf([tab('page', 1, claiming(21))], false)).toBeUndefined();
  const others = Array.from({ length: 30 }, (_, at) => [at + 2, 'https://other.test', 'https://other.test'] as const);
  expect(await askedOf([tab('page', 1, [...others, [40, ORIGIN, ORIGIN]])], false)).toBe('page');
});
