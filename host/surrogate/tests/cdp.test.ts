import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { CdpSession } from '../cdp-session.ts';
import { assertPageHalf } from '../page-half-check.ts';
import { evaluate, launch, silent, type Launched } from './fixture.ts';

describe('a connection to Chromium', () => {
  let launched: Launched;
  let page: CdpSession;
  beforeAll(async () => {
    launched = await launch();
    page = await launched.open();
  });
  afterAll(() => launched.close());

  it('carries messages of many megabytes in both directions', async () => {
    const sent = 'ü'.repeat(2 * 1024 * 1024);
    const length = await evaluate<number>(page, `globalThis.big = '${sent}'; big.length`);
    expect(length).toBe(sent.length);
    expect((await evaluate<string>(page, 'big + big')) === sent + sent).toBe(true);
  });

  it('keeps the order of commands that do not wait for each other', async () => {
    await evaluate(page, 'globalThis.order = []');
    const numbers = Array.from({ length: 300 }, (_, index) => index);
    await Promise.all(numbers.map((number) => evaluate(page, `order.push(${number})`)));
    expect(await evaluate(page, 'order')).toEqual(numbers);
  });

  it('reports method and code of a refusal', async () => {
    const refused = page.send('DOM.describeNode', { nodeId: 999_999 });
    await expect(refused).rejects.toMatchObject({
      code: 'cdp-error',
      data: { method: 'DOM.describeNode', cdpCode: -32000 },
    });
  });

  it('refuses a command that would make Chromium close the connection', async () => {
    const expression = 'x'.repeat(101 * 1024 * 1024);
    await expect(page.send('Runtime.evaluate', { expression })).rejects.toMatchObject({ code: 'cdp-error' });
    expect(await evaluate(page, '1 + 1')).toBe(2);
  });

  it('times out at the deadline, and ignores the late answer', async () => {
    const expression = 'new Promise((resolve) => (globalThis.answer = resolve))';
    const late = page.send('Runtime.evaluate', { expression, awaitPromise: true }, { deadlineMs: 50 });
    await expect(late).rejects.toMatchObject({ code: 'cdp-timeout', retryable: true });
    await evaluate(page, 'answer()');
    expect(await evaluate(page, '1 + 1')).toBe(2);
  });

  it('reports a listener that throws and continues', async () => {
    const faults: unknown[] = [];
    const own = await launch({ log: { ...silent, error: (_text, data) => faults.push(data) } });
    onTestFinished(() => own.close());
    const { connection } = own.surrogate;
    const seen: string[] = [];
    connection.root.on('Target.targetCreated', () => {
      throw new Error('listener');
    });
    connection.root.on('Target.targetCreated', ({ targetInfo }) => seen.push(targetInfo.targetId));
    await connection.root.send('Target.setDiscoverTargets', { discover: true });
    const opened = await own.open();
    expect(seen).toContain(opened.targetInfo?.targetId);
    expect(faults).toHaveLength(seen.length);
    connection.close();
    await expect(connection.root.send('Browser.getVersion')).rejects.toMatchObject({ code: 'cdp-closed' });
  });

  it('announces a worker as a child before its first message, and rejects its pending commands when it closes', async () => {
    const session = await launched.open();
    const events: string[] = [];
    const worker = new Promise<CdpSession>((resolve) => {
      session.onAttached(({ session: child, waitingForDebugger }) => {
        events.push(`attached ${waitingForDebugger}`);
        child.on('Runtime.executionContextCreated', () => events.push('context'));
        Promise.all([child.send('Runtime.enable'), child.send('Runtime.runIfWaitingForDebugger')]).then(
          () => resolve(child),
          () => {},
        );
      });
    });
    await session.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true });
    await evaluate(
      session,
      `globalThis.worker = new Worker(URL.createObjectURL(new Blob(['onmessage = () => {}']))); 0`,
    );
    const child = await worker;
    expect(events).toEqual(['attached true', 'context']);
    expect([...session.children]).toEqual([child]);
    expect(child.targetInfo?.type).toBe('worker');
    expect(launched.surrogate.connection.session(child.id ?? '')).toBe(child);

    const waiting = child.send('Runtime.evaluate', { expression: 'new Promise(() => {})', awaitPromise: true });
    const detached = new Promise((resolve) => session.onDetached(resolve));
    await evaluate(session, 'worker.terminate()');
    await expect(waiting).rejects.toMatchObject({ code: 'cdp-closed' });
    expect(await detached).toBe(child);
    expect(child.closed.aborted).toBe(true);
    expect(session.children.size).toBe(0);
    await expect(child.send('Runtime.enable')).rejects.toMatchObject({ code: 'cdp-closed' });
  });

  it('detects a missing page half', async () => {
    await expect(assertPageHalf(launched.surrogate.connection, 5000)).rejects.toMatchObject({
      code: 'page-half-missing',
    });
  });

  it('rejects all pending commands when the browser ends', async () => {
    const { connection, pid } = launched.surrogate;
    const waiting = [page, page].map((session) =>
      session.send('Runtime.evaluate', { expression: 'new Promise(() => {})', awaitPromise: true }),
    );
    process.kill(pid, 'SIGKILL');
    for (const answer of waiting) await expect(answer).rejects.toMatchObject({ code: 'cdp-closed' });
    expect(page.closed.aborted).toBe(true);
    expect(connection.root.closed.reason).toMatchObject({ code: 'cdp-closed' });
    expect(await launched.surrogate.exited).toEqual({ code: null, signal: 'SIGKILL' });
  });
});
