import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { CdpSession } from '../../surrogate/cdp-session.ts';
import { HeldCalls } from '../page/held-calls.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const probes: (() => void)[] = [];
/** A session that answers nothing until its wait is over. */
const session = (): CdpSession =>
  ({ send: () => new Promise<void>((resolve) => probes.push(resolve)) }) as unknown as CdpSession; // all that is asked of it
const PAGE = session();
const OTHER = session();

/** Calls to documents whose waits the test begins and ends. */
function held() {
  probes.length = 0;
  const waits = new Map<CdpSession, number>();
  let listener: ((session: CdpSession, wait: number) => void) | undefined;
  const calls = new HeldCalls({
    of: (of) => waits.get(of),
    listen: (each) => void (listener = each),
    answered: (of, wait) => {
      if (waits.get(of) === wait) waits.delete(of);
    },
  });
  return {
    calls,
    begin: (of: CdpSession, wait: number) => {
      waits.set(of, wait);
      listener?.(of, wait);
    },
    end: (of: CdpSession) => {
      waits.delete(of);
      for (const answer of probes.splice(0)) answer();
    },
  };
}

it('fails calls that are open, and is not called any more, once the next document is awaited for half a second', async () => {
  const { calls, begin, end } = held();
  const never = (): Promise<number> => new Promise(() => undefined);
  const before = calls.run(PAGE, never);
  const other = calls.run(OTHER, never);
  begin(PAGE, 1);
  const made = vi.fn(never);
  const during = calls.run(PAGE, made);
  const settled: unknown[] = [];
  for (const [name, each] of Object.entries({ before, during, other }))
    each.catch((fault: unknown) => settled.push([name, fault]));
  await vi.advanceTimersByTimeAsync(499);
  expect(settled).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  const fault: unknown = expect.objectContaining({ code: 'document-awaited', retryable: true });
  expect(settled).toEqual([
    ['before', fault],
    ['during', fault],
  ]);
  await expect(calls.run(PAGE, made)).rejects.toMatchObject({ code: 'document-awaited' });
  expect(made).not.toHaveBeenCalled();
  end(PAGE);
  expect(await calls.run(PAGE, async () => 6)).toBe(6);
});

it('is called once a wait that did not take long is over, and heard where the answer comes during the next', async () => {
  const { calls, begin, end } = held();
  const answer = Promise.withResolvers<number>();
  const made = vi.fn(() => answer.promise);
  begin(PAGE, 1);
  const call = calls.run(PAGE, made);
  await vi.advanceTimersByTimeAsync(400);
  expect(made).not.toHaveBeenCalled();
  end(PAGE);
  await vi.advanceTimersByTimeAsync(0);
  expect(made).toHaveBeenCalledOnce();
  begin(PAGE, 2);
  await vi.advanceTimersByTimeAsync(400);
  answer.resolve(7);
  expect(await call).toBe(7);
});
