import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browse, serveSite, startWorker } from './harness.ts';

describe('a worker', () => {
  let site: Awaited<ReturnType<typeof serveSite>>;
  let started: Awaited<ReturnType<typeof startWorker>>;
  beforeAll(async () => {
    site = await serveSite((host, path) => `<!doctype html><title>${host}${path}</title><p>hello`);
    started = await startWorker();
  });
  afterAll(async () => {
    await started.stop();
    site.close();
  });

  it('loads a page, hears its page half and carries messages both ways', async () => {
    const client = await browse(started.worker, site.url('one.test'));
    await client.tellsOf('ready', (frame) => frame.id === 1);
    expect(await client.ask('hi')).toBe(`hi in ${site.url('one.test')}`);
    await client.hears('load-state', ({ state }) => state === 'ready');
  });
});
