import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browse, serveSite, startWorker } from './harness.ts';
import type { TestClient } from './harness.ts';

describe('restrictions of a page', () => {
  let site: Awaited<ReturnType<typeof serveSite>>;
  let started: Awaited<ReturnType<typeof startWorker>>;
  let client: TestClient;
  beforeAll(async () => {
    site = await serveSite((host, path) => `<!doctype html><title>${host}${path}</title><p>hello`);
    started = await startWorker({ limits: { pageMessagesPerSecond: 500 } });
    client = await browse(started.worker, site.url('one.test'));
    await client.tellsOf('ready');
  });
  afterAll(async () => {
    await started.stop();
    site.close();
  });
  const warnings = (pattern: RegExp): string[] =>
    started.log.lines.filter(([level, line]) => level === 'warn' && pattern.test(line)).map(([, line]) => line);
  const inPage = async (expression: string): Promise<unknown> => {
    const json = await client.ask(`cdp Runtime.evaluate ${JSON.stringify({ expression, returnByValue: true })}`);
    return (JSON.parse(json) as { result: { value: unknown } }).result.value; // Runtime.evaluate's own shape
  };
  const heard = async (): Promise<number> => Number(await client.ask('heard'));

  it('hides binding and world from the page', async () => {
    expect(await inPage('[typeof vitrineSend, typeof vitrinePage, typeof chrome?.dom]')).toEqual([
      'undefined',
      'undefined',
      'undefined',
    ]);
  });

  it('drops invalid packets, unexpected answers and wrong parameters', async () => {
    await client.ask('x', { hostile: 'garbage' });
    expect(await heard()).toBe(0);
    expect(warnings(/bad-packet|bad-message/).length).toBeGreaterThanOrEqual(4);
    expect(await client.ask('hi')).toContain('hi in');
  });

  it('drops a packet that is too large', async () => {
    await client.ask('x', { hostile: 'huge' });
    expect(warnings(/message-too-large/)).toHaveLength(1);
    expect(await client.ask('hi')).toContain('hi in');
  });

  it('limits how much it sends, and reports the excess once', async () => {
    const before = await heard();
    const begunAt = performance.now();
    void client.ask('x', { hostile: 'flood' }).catch(() => undefined); // its answer may be among the refused messages
    await client.until(() => warnings(/flood/).length > 0, 'a report');
    await inPage('1'); // answered behind everything that the page has sent
    const windows = Math.ceil((performance.now() - begunAt) / 1000) + 1;
    const took = (await heard()) - before;
    const reports = warnings(/flood/).length;
    expect(took).toBeGreaterThan(100);
    expect(took).toBeLessThanOrEqual(windows * 500);
    expect(reports).toBeGreaterThan(0);
    expect(reports).toBeLessThanOrEqual(windows);
    await new Promise((resolve) => setTimeout(resolve, 1100)); // the next window has begun
    expect(await client.ask('hi')).toContain('hi in');
  });
});

describe('restrictions of a plugin', () => {
  let site: Awaited<ReturnType<typeof serveSite>>;
  let started: Awaited<ReturnType<typeof startWorker>>;
  let client: TestClient;
  beforeAll(async () => {
    site = await serveSite(() => '<!doctype html><p>hello');
    started = await startWorker();
    client = await browse(started.worker, site.url('one.test'));
    await client.tellsOf('ready');
  });
  afterAll(async () => {
    await started.stop();
    site.close();
  });

  it.each([
    'Page.captureScreenshot',
    'Browser.getVersion',
    'Target.getTargets',
    'Browser.close',
    'Runtime.enable',
    'nonsense',
  ])('refuses %s, which its manifest does not name', async (method) => {
    await expect(client.ask(`cdp ${method}`)).rejects.toMatchObject({ code: 'cdp-not-permitted' });
  });

  it('refuses input beside the order of the person’s, whatever its manifest names', async () => {
    await expect(client.ask('cdp Input.insertText {"text":"x"}')).rejects.toMatchObject({ code: 'cdp-not-permitted' });
  });

  it('allows the methods of the manifest, and reports errors of Chromium', async () => {
    expect(JSON.parse(await client.ask('cdp Runtime.evaluate {"expression":"1+1"}'))).toMatchObject({
      result: { value: 2 },
    });
    await expect(client.ask('cdp DOM.describeNode {"nodeId":-5}')).rejects.toMatchObject({ code: 'cdp-error' });
    await expect(client.ask('cdp DOM.getDocument', { frame: 99 })).rejects.toMatchObject({ code: 'frame-gone' });
  });
});
