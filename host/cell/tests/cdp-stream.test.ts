import { afterAll, beforeAll, expect, it } from 'vitest';
import { launch } from '../../surrogate/tests/fixture.ts';
import type { Launched } from '../../surrogate/tests/fixture.ts';
import type { CdpSession } from '../../surrogate/cdp-session.ts';
import { readStream } from '../page/cdp-stream.ts';

let launched: Launched;
let page: CdpSession;
beforeAll(async () => {
  launched = await launch();
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
