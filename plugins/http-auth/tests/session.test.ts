import { expect, it } from 'vitest';
import type { ExtensionHandler, SessionScope } from '../../../host/plugin.ts';
import type { Challenges, ChallengedRequest } from '../host/challenges.ts';
import { challengesToken } from '../host/challenges.ts';
import { activateSession } from '../host/session.ts';

const ANSWER = { username: 'ada', password: 'secret' };
const REQUEST = {
  kind: 'ask',
  requestId: '7',
  url: 'https://site.test/x',
  type: 'main_frame',
  window: 5,
  realm: 'Staff',
  host: 'site.test',
  port: 443,
};

async function start() {
  let handler: ExtensionHandler | undefined;
  let challenges: Challenges | undefined;
  const scope = {
    surrogate: {
      onExtensionCall: (given: ExtensionHandler) => (handler = given),
      tabsInWindow: async (window: number) => ({ 5: ['T'], 6: ['T', 'U'] })[window] ?? [],
    },
    services: { provide: (token: unknown, given: Challenges) => token === challengesToken && (challenges = given) },
  };
  await activateSession(scope as unknown as SessionScope); // all that is used of it
  const asked: ChallengedRequest[] = [];
  challenges?.handle('T', (request) => {
    asked.push(request);
    return Promise.resolve(ANSWER);
  });
  const call = (more: object) => handler?.({ ...REQUEST, ...more }, new AbortController().signal);
  return { asked, call };
}

it('takes a challenge to its tab, with the origin of the server', async () => {
  const { asked, call } = await start();
  expect(await call({})).toEqual({ authCredentials: ANSWER });
  expect(await call({ requestId: '8', url: 'http://[::1]:81/', host: '::1', port: 81 })).toEqual({
    authCredentials: ANSWER,
  });
  for (const window of [6, 7]) expect(await call({ requestId: '9', window })).toBeUndefined(); // which of two tabs, or none
  expect(asked.map(({ origin }) => origin)).toEqual(['https://site.test', 'http://[::1]:81']);
});

it('says that an answer was wrong when the same request asks again', async () => {
  const { asked, call } = await start();
  await call({});
  await call({});
  await call({ requestId: '8' });
  expect(asked.map(({ isAgain }) => isAgain)).toEqual([false, true, false]);
});

it('asks for what is no document only where the server is the one of the document', async () => {
  const { asked, call } = await start();
  expect(await call({ type: 'image', initiator: 'https://other.test' })).toBeUndefined();
  expect(await call({ type: 'image' })).toBeUndefined();
  expect(await call({ type: 'image', initiator: 'https://site.test' })).toEqual({ authCredentials: ANSWER });
  expect(await call({ type: 'sub_frame', initiator: 'https://other.test' })).toEqual({ authCredentials: ANSWER });
  expect(asked).toHaveLength(2);
});

it('ignores what is no call, and requests that are over', async () => {
  const { call } = await start();
  expect(await call({ kind: 'nonsense' })).toBeUndefined();
  expect(await call({ kind: 'over' })).toBeUndefined();
});
