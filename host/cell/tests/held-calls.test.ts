import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { CdpSession } from '../../surrogate/cdp-session.ts';
import type { AwaitedDocuments } from '../page/awaited-documents.ts';
import { HeldCalls } from '../page/held-calls.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const PAGE = {} as CdpSession; // nothing is asked of it
const OTHER = {} as CdpSession; // nothing is asked of it

/** Calls to documents whose waits the test begins and ends. */
function held() {
  const waits = new Map<CdpSession, number>();
  let listener: ((session: CdpSession, wait: number) => void) | undefined;
  const calls = new HeldCalls({
    of: (session: CdpSession) => waits.get(session),
    listen: (each: typeof listener) => void (listener = each),
  } as unknown as AwaitedDocuments); // all that is used of it
  return {
    calls,
    begin: (session: CdpSession, wait: number) => {
      waits.set(session, wait);
      listener?.(session, wait);
    },
    end: (session: CdpSession) => void waits.delete(session),
  };
}

it('fails calls that are open, and is not called any more, once the next document is awaited for half a second', async () => {
  const { calls, begin, end } = held();
  const never = (): Promise<number> => new Promise(() => undefined);
  const before = calls.run(PAGE, never);
  const other = calls.run(OTHER, never);
  begin(PAGE, 1);
  const during = calls.run(PAGE, never);
  const settled: unknown[] = [];
  for (const [name, each] of Object.entries({ before, during, other }))
    each.catch((fault: unknown) => settled.push([name, fault]));
  await vi.advanceTimersByTimeAsync(499);
  expect(settled).toEqual([]);
  expect(await calls.run(PAGE, async () => 5)).toBe(5);
  await vi.advanceTimersByTimeAsync(1);
  const fault: unknown = expect.objectContaining({ code: 'document-awaited', retryable: true });
  expect(settled).toEqual([
    ['before', fault],
    ['during', fault],
  ]);
  const call = vi.fn(never);
  await expect(calls.run(PAGE, call)).rejects.toMatchObject({ code: 'document-awaited' });
  expect(call).not.toHaveBeenCalled();
  end(PAGE);
  expect(await calls.run(PAGE, async () => 6)).toBe(6);
});

it('leaves calls alone whose wait is over in time, and those of the next wait until it is long, too', async () => {
  const { calls, begin, end } = held();
  const answer = Promise.withResolvers<number>();
  begin(PAGE, 1);
  const call = calls.run(PAGE, () => answer.promise);
  await vi.advanceTimersByTimeAsync(400);
  end(PAGE);
  begin(PAGE, 2);
  await vi.advanceTimersByTimeAsync(400);
  answer.resolve(7);
  expect(await call).toBe(7);
});
