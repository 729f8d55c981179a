import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launch } from '../../surrogate/tests/fixture.ts';
import type { Launched } from '../../surrogate/tests/fixture.ts';
import type { CdpSession } from '../../surrogate/cdp-session.ts';
import { readResource, readStream } from '../page/cdp-stream.ts';

let launched: Launched;
let page: CdpSession;
beforeAll(async () => {
  launched = await launch({}, { allowPrivate: true });
  page = await launched.open();
});
afterAll(() => launched.close());

/** The handle of a PDF with a number of sheets. */
async function printed(sheets: number): Promise<string> {
  const expression = `document.body.innerHTML = '<p style="break-after:page">sheet</p>'.repeat(${sheets})`;
  await page.send('Runtime.evaluate', { expression });
  const { stream = '' } = await page.send(
    'Page.printToPDF',
    { transferMode: 'ReturnAsStream' },
    { deadlineMs: 60_000 },
  );
  return stream;
}

it('[R-081] reads a PDF that comes in parts to its end', async () => {
  const pdf = await readStream(page, await printed(2000), 64 * 1024 * 1024);
  expect(pdf.length).toBeGreaterThan(1024 * 1024); // more than one part
  const text = Buffer.from(pdf).toString('latin1');
  expect(text).toMatch(/^%PDF-/);
  expect(text).toMatch(/%%EOF\s*$/);
});

it('does not read more than its limit, and closes the rest of the stream', async () => {
  const handle = await printed(1);
  await expect(readStream(page, handle, 100)).rejects.toMatchObject({ code: 'stream-too-large' });
  await expect(page.send('IO.read', { handle })).rejects.toMatchObject({ code: 'cdp-error' });
});

it('reads a resource that the site gives, and not the page of an error', async () => {
  const server = createServer(
    ({ url }, response) => void response.writeHead(url === '/there' ? 200 : 404).end('words'),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as AddressInfo; // it listens
    const { frameTree } = await page.send('Page.getFrameTree');
    const options = { disableCache: false, includeCredentials: false };
    const load = async (path: string) => {
      const params = { frameId: frameTree.frame.id, url: `http://127.0.0.1:${port}${path}`, options };
      const { resource } = await page.send('Network.loadNetworkResource', params);
      return readResource(page, resource, 1000);
    };
    expect(String(await load('/there'))).toBe('words');
    await expect(load('/away')).rejects.toMatchObject({ code: 'resource-not-found' });
  } finally {
    server.close();
  }
});
