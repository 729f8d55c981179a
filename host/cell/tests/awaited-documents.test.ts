import { expect, it } from 'vitest';
import type { CdpSession } from '../../surrogate/cdp-session.ts';
import { AwaitedDocuments } from '../page/awaited-documents.ts';
import type { PageSessions } from '../page/page-sessions.ts';

/** A page whose browser's events the test plays, and its frames. */
function page() {
  const handlers = new Map<string, (params: unknown) => void>();
  const session = {
    on: (event: string, handler: (params: unknown) => void) => void handlers.set(event, handler),
  } as unknown as CdpSession; // all that is used of it
  const sessions = {
    listen: ({ added }: { added: (opened: object) => void }) => added({ session, kind: 'page', targetId: 'MAIN' }),
  } as unknown as PageSessions; // all that is used of it
  const awaited = new AwaitedDocuments(sessions);
  const says = (event: string, params: object): void => handlers.get(`Page.${event}`)?.(params);
  const starts = (frameId = 'MAIN', navigationType = 'differentDocument'): void =>
    says('frameStartedNavigating', { frameId, navigationType });
  return { awaited, session, says, starts };
}

it('waits from when a navigation of its own frame begins until a document is there, or none comes', () => {
  const { awaited, session, says, starts } = page();
  expect(awaited.has(session)).toBe(false);
  starts('INNER');
  starts('MAIN', 'sameDocument');
  starts('MAIN', 'historySameDocument');
  expect(awaited.has(session)).toBe(false);
  starts();
  expect(awaited.has(session)).toBe(true);
  says('frameNavigated', { frame: { id: 'INNER' } });
  says('frameStoppedLoading', { frameId: 'INNER' });
  expect(awaited.has(session)).toBe(true);
  says('frameNavigated', { frame: { id: 'MAIN' } });
  expect(awaited.has(session)).toBe(false);
  starts('MAIN', 'reload');
  says('frameStoppedLoading', { frameId: 'MAIN' });
  expect(awaited.has(session)).toBe(false);
});

it('is over with the answer to a command of the same wait, not of one before', () => {
  const { awaited, session, says, starts } = page();
  const before = awaited.of(session);
  starts();
  awaited.answered(session, before);
  expect(awaited.has(session)).toBe(true);
  const first = awaited.of(session);
  starts(); // another takes its place: the same wait
  expect(awaited.of(session)).toBe(first);
  says('frameNavigated', { frame: { id: 'MAIN' } });
  starts();
  awaited.answered(session, first);
  expect(awaited.has(session)).toBe(true);
  awaited.answered(session, awaited.of(session));
  expect(awaited.has(session)).toBe(false);
});
