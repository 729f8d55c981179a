import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Frame } from '../../contracts/frame.ts';
import { browse, serveSite, startWorker } from './harness.ts';
import type { Data, TestClient } from './harness.ts';

describe('the frames of a tab', () => {
  let site: Awaited<ReturnType<typeof serveSite>>;
  let started: Awaited<ReturnType<typeof startWorker>>;
  beforeAll(async () => {
    site = await serveSite((host, path) => {
      const inner = (name: string): string => `http://${name}:${site.port}`;
      switch (path) {
        case '/frames':
          return `<!doctype html><p>top<iframe src="/same"></iframe><iframe src="${inner('other.test')}/cross"></iframe>
            <iframe sandbox src="${inner('third.test')}/sandboxed"></iframe><iframe srcdoc="<p>srcdoc"></iframe>
            <iframe sandbox srcdoc="<p>both"></iframe>`;
        case '/cross':
          return `<!doctype html><p>cross<iframe src="${inner('one.test')}/back"></iframe>`;
        case '/one':
          return `<!doctype html><iframe id=f src="/same"></iframe>`;
        default:
          return `<!doctype html><title>${host}${path}</title><p>hello`;
      }
    });
    started = await startWorker();
  });
  afterAll(async () => {
    await started.stop();
    site.close();
  });

  const run = (client: TestClient, expression: string, frame = 0): Promise<string> =>
    client.ask(`cdp Runtime.evaluate ${JSON.stringify({ expression, returnByValue: true })}`, { frame });
  const readyAt = (client: TestClient, path: string, after: readonly Data[] = []): Promise<Data> =>
    client.tellsOf('ready', (frame) => String(frame['url']).endsWith(path) && !after.includes(frame));

  it('finds frames of the same site, of other sites, sandboxed and blank ones, and their owners', async () => {
    const client = await browse(started.worker, site.url('one.test', '/frames'));
    const paths = ['/same', '/cross', '/sandboxed', '/back'];
    const ready = await Promise.all(paths.map((path) => readyAt(client, path)));
    await client.tellsOf('ready', ({ url, origin }) => url === 'about:srcdoc' && origin === 'null');
    expect(client.told.filter(({ what }) => what === 'gone')).toEqual([]);
    const frames = JSON.parse(await client.ask('frames')) as Frame[];
    const byPath = (path: string): Frame => frames.find(({ url }) => url.endsWith(path))!;
    expect(frames).toHaveLength(7);
    expect(byPath('/frames')).toMatchObject({
      id: 1,
      parent: 0,
      origin: site.url('one.test').slice(0, -1),
      mimeType: 'text/html',
    });
    for (const path of ['/same', '/cross', '/sandboxed', 'srcdoc']) expect(byPath(path).parent, path).toBe(1);
    expect(byPath('/back').parent).toBe(byPath('/cross').id);
    expect(byPath('/cross').origin).toBe(site.url('other.test').slice(0, -1));
    expect(byPath('/sandboxed').origin).toBe('null');

    const owners = await Promise.all(ready.map(({ id }) => client.tellsOf('owner', (event) => event['frame'] === id)));
    for (const { owner } of owners)
      expect(owner).toMatchObject({ epoch: expect.any(Number), node: expect.any(Number) });
    const inTop = owners.slice(0, 3).map(({ owner }) => (owner as { node: number }).node);
    expect(new Set(inTop).size).toBe(3);

    for (const { id, url } of ready) expect(await client.ask('hi', { frame: Number(id) })).toBe(`hi in ${String(url)}`);
    for (const { id } of ready)
      expect(await run(client, 'document.readyState', Number(id))).toMatch(/loading|interactive|complete/);
  });

  it('keeps a frame through changes of site and process, and reports its removal', async () => {
    const client = await browse(started.worker, site.url('one.test', '/one'));
    const first = await readyAt(client, '/same');
    const seen: Data[] = [first];
    for (const [host, path] of [
      ['other.test', '/away'],
      ['one.test', '/home'],
      ['third.test', '/again'],
    ] as const) {
      await run(client, `document.querySelector('iframe').src = ${JSON.stringify(site.url(host, path))}`);
      const frame = await readyAt(client, path, seen);
      seen.push(frame);
      expect(frame['id']).toBe(first['id']);
      expect(await client.ask('hi', { frame: Number(frame['id']) })).toBe(`hi in ${site.url(host, path)}`);
    }
    expect(client.told.filter(({ what }) => what === 'gone')).toEqual([]);
    await run(client, `document.querySelector('iframe').remove()`);
    await client.tellsOf('gone', (id) => (id as unknown) === first['id']);
    expect(JSON.parse(await client.ask('frames'))).toHaveLength(1);
    await expect(client.ask('hi', { frame: Number(first['id']) })).rejects.toMatchObject({ code: 'frame-gone' });
  });

  it('keeps the id of the main frame through navigations to other sites, and removes the frames of the previous one', async () => {
    const client = await browse(started.worker, site.url('one.test', '/one'));
    const nested = await readyAt(client, '/same');
    await client.ask(`cdp Page.navigate ${JSON.stringify({ url: site.url('other.test', '/next') })}`);
    expect(await readyAt(client, '/next')).toMatchObject({ id: 1, parent: 0 });
    await client.tellsOf('gone', (id) => (id as unknown) === nested['id']);
    expect(await client.ask('hi')).toBe(`hi in ${site.url('other.test', '/next')}`);
  });

  it('reports changes of the address within a document', async () => {
    const client = await browse(started.worker, site.url('one.test', '/spa'));
    await readyAt(client, '/spa');
    await run(client, 'history.pushState(null, "", "/deeper")');
    expect(await client.tellsOf('navigated', ({ sameDocument }) => sameDocument === true)).toEqual({
      frame: 1,
      url: site.url('one.test', '/deeper'),
      sameDocument: true,
    });
  });
});
