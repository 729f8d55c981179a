import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AppError } from '../../../../core/protocol/errors.ts';
import { CdpSession } from '../../../surrogate/cdp-session.ts';
import { answerExtension } from '../extension-calls.ts';

/** A worker whose answers to the question for its idle time are held until the test gives them. */
function startWorker(handler: () => Promise<unknown>, actedAt = () => -Infinity) {
  const sent: string[] = [];
  const questions: ((idleMs: unknown) => void)[] = [];
  const wire = {
    post: (_session: CdpSession, method: string, params?: object): Promise<unknown> => {
      const { expression = '' } = (params ?? {}) as { expression?: string }; // only of Runtime.evaluate
      if (expression !== 'vitrineIdleMs()') {
        sent.push(expression || method);
        return Promise.resolve({});
      }
      return new Promise((resolve) => questions.push((value) => resolve({ result: { type: 'number', value } })));
    },
    listens: () => undefined,
    fault: (error: unknown) => {
      throw error as Error;
    },
  };
  const worker = new CdpSession(wire, 'w', new CdpSession(wire));
  answerExtension(worker, () => handler, actedAt);
  return {
    worker,
    questions,
    call: () =>
      worker.dispatch('Runtime.bindingCalled', { name: 'vitrineExtension', payload: '{"id":1,"plugin":"webauthn"}' }),
    isEnded: () => sent.includes('Target.closeTarget'),
    sent,
  };
}

describe('the end of the worker of the extension', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('comes when the worker says that it is idle', async () => {
    const { questions, isEnded } = startWorker(() => Promise.resolve('given'));
    await vi.advanceTimersByTimeAsync(5000);
    questions.shift()?.(2000); // the machine was busy: it has begun late
    await vi.advanceTimersByTimeAsync(2999);
    expect(questions).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(isEnded()).toBe(false);
    questions.shift()?.(5000);
    await vi.advanceTimersByTimeAsync(0);
    expect(isEnded()).toBe(true);
  });

  it('does not come between a call and its answer', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const { questions, isEnded, call, sent } = startWorker(() => promise);
    await vi.advanceTimersByTimeAsync(5000);
    call(); // it was on its way
    questions.shift()?.(5001);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(questions).toHaveLength(0);
    resolve('given');
    await vi.advanceTimersByTimeAsync(0);
    expect(sent).toContain('vitrineSettle(1, true, "given")');
    await vi.advanceTimersByTimeAsync(5000);
    questions.shift()?.(0); // it has not read the answer yet
    await vi.advanceTimersByTimeAsync(5000);
    expect(isEnded()).toBe(false);
    questions.shift()?.(6000);
    await vi.advanceTimersByTimeAsync(0);
    expect(isEnded()).toBe(true);
  });

  it('does not come soon after a press, which may lead to a call', async () => {
    let acted = -Infinity;
    const { questions, isEnded } = startWorker(
      () => Promise.resolve('given'),
      () => acted,
    );
    await vi.advanceTimersByTimeAsync(5000);
    acted = performance.now();
    questions.shift()?.(60_000); // the call has not begun
    await vi.advanceTimersByTimeAsync(4999);
    expect([questions.length, isEnded()]).toEqual([0, false]);
    await vi.advanceTimersByTimeAsync(1);
    questions.shift()?.(65_000);
    await vi.advanceTimersByTimeAsync(0);
    expect(isEnded()).toBe(true);
  });

  it('does not come for a worker that does not say so, and leaves no timer behind a closed one', async () => {
    const { questions, isEnded, worker } = startWorker(() => Promise.resolve('given'));
    await vi.advanceTimersByTimeAsync(5000);
    questions.shift()?.('NaN');
    await vi.advanceTimersByTimeAsync(5000);
    expect(questions).toHaveLength(1);
    worker.close(new AppError('cdp-closed', 'gone'));
    questions.shift()?.(0);
    await vi.advanceTimersByTimeAsync(0);
    expect(isEnded()).toBe(false);
    expect(vi.getTimerCount()).toBe(0);
  });
});
