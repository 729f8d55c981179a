import { expect, it } from 'vitest';
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

/** Asks for a credential of an origin; returns the tab that is asked. */
async function askedOf(tabs: readonly SessionTab[], isSameOrigin = true): Promise<string | undefined> {
  let handler: ExtensionHandler | undefined;
  let desk: CredentialDesk | undefined;
  const scope = {
    session: { tabs: () => tabs },
    surrogate: { onExtensionCall: (given: ExtensionHandler) => (handler = given) },
    services: { provide: (_token: unknown, provided: CredentialDesk) => (desk = provided) },
    log: { error: () => undefined },
  };
  await activateSession(scope as unknown as SessionScope); // all that is used of it
  let asked: string | undefined;
  for (const { id } of tabs)
    desk?.handle(id, () => {
      asked = id;
      return Promise.resolve({ ok: false, error: 'NotAllowedError' });
    });
  const caller = { remoteDesktopClientOverride: { origin: ORIGIN, sameOriginWithAncestors: isSameOrigin } };
  const options = JSON.stringify({ challenge: 'AAAA', extensions: caller });
  await handler?.({ kind: 'get', requestId: 1, options }, new AbortController().signal);
  return asked;
}

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
