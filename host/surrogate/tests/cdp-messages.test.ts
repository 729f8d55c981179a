import { PassThrough } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectPipe } from '../cdp.ts';
import type { CdpConnection } from '../cdp.ts';
import { messageSplitter } from '../cdp-messages.ts';
import type { SkippedMessage } from '../cdp-messages.ts';
import type { CdpSession } from '../cdp-session.ts';
import { evaluate, launch } from './fixture.ts';
import { PATIENCE_MS } from '../../../core/testing/patience.ts';

interface Split {
  readonly split: (chunk: Buffer) => void;
  readonly read: string[];
  readonly skipped: SkippedMessage[];
}

function splitter(limit?: number): Split {
  const [read, skipped]: [string[], SkippedMessage[]] = [[], []];
  const reader = {
    wants: (event: string) => event !== 'Page.unwanted',
    read: (text: string) => void read.push(text),
    skipped: (message: SkippedMessage) => void skipped.push(message),
  };
  return { split: messageSplitter(reader, limit), read, skipped };
}

const SESSION = '0123456789ABCDEF0123456789ABCDEF';
const unwanted = (text: string): string =>
  JSON.stringify({ method: 'Page.unwanted', params: { text }, sessionId: SESSION });

describe('messages of a browser', () => {
  const texts = ['{}', 'ä€😀'.repeat(50), '', 'x'.repeat(1000), JSON.stringify({ method: 'Page.wanted', params: {} })];
  const sent = [...texts.slice(0, 2), unwanted('a'), ...texts.slice(2), unwanted('"}\u0000'.repeat(500))];
  const bytes = Buffer.from(sent.map((text) => `${text}\0`).join(''));

  it.each([1, 2, 3, 7, 100, 255, 256, 257, 5000])(
    '[L7] are the same for any chunks, without the events that nobody wants (%i bytes)',
    (size) => {
      const { split, read, skipped } = splitter();
      for (let at = 0; at < bytes.length; at += size) split(bytes.subarray(at, at + size));
      expect(read).toEqual(texts);
      expect(skipped.map(({ sessionId, id }) => [sessionId, id])).toEqual([
        [SESSION, undefined],
        [SESSION, undefined],
      ]);
      expect(skipped.map(({ bytes: length }) => length)).toEqual(
        sent.filter((text) => text.includes('unwanted')).map((text) => Buffer.byteLength(text)),
      );
    },
  );

  it('[L7] are skipped past the limit, and the next ones are read', () => {
    const { split, read, skipped } = splitter(1000);
    const answer = JSON.stringify({ id: 7, result: { text: 'x'.repeat(5000) }, sessionId: SESSION });
    for (const chunk of [answer.slice(0, 900), answer.slice(900, 2000), `${answer.slice(2000)}\0{}\0`])
      split(Buffer.from(chunk));
    expect(read).toEqual(['{}']);
    expect(skipped).toEqual([{ id: 7, sessionId: SESSION, bytes: answer.length }]);
  });
});

it('[L12] a browser that reads no commands loses its connection before they fill the memory', async () => {
  const write = new PassThrough({ highWaterMark: 1 }); // nobody reads it
  const connection: CdpConnection = connectPipe(new PassThrough(), write);
  onTestFinished(() => connection.close());
  const piece = 'x'.repeat(32 * 1024 * 1024);
  const answers: Promise<unknown>[] = [];
  for (let sent = 0; sent < 6; sent++)
    answers.push(
      connection.root.send('Target.getTargets', { filter: [{ type: piece }] }).catch((thrown: unknown) => thrown),
    );
  expect(connection.root.closed.aborted).toBe(true);
  for (const answer of answers) expect(await answer).toMatchObject({ code: 'cdp-closed' });
});

it('[L12] commands past their number are refused while others wait for an answer', async () => {
  const write = new PassThrough();
  write.resume();
  const connection = connectPipe(new PassThrough(), write);
  const answers = Array.from({ length: 50_001 }, () =>
    connection.root.send('Browser.getVersion').catch((thrown: unknown) => thrown),
  );
  expect(await answers.at(-1)).toMatchObject({ code: 'cdp-busy', retryable: true });
  connection.close();
  expect(await answers[0]).toMatchObject({ code: 'cdp-closed' });
});

describe('a page with long texts for the console', () => {
  it('[L7] is counted and not read: the connection stays, and answers that are too long are errors', async () => {
    const launched = await launch();
    onTestFinished(() => launched.close());
    const page: CdpSession = await launched.open();
    await page.send('Runtime.enable');
    const before = page.received;
    const length = 8 * 1024 * 1024;
    await evaluate(page, `console.log('x'.repeat(${length})); 0`);
    expect(await evaluate(page, '1 + 1')).toBe(2);
    expect(page.received - before).toBeGreaterThan(length);
    const expression = `'x'.repeat(${65 * 1024 * 1024})`;
    const tooLong = page.send('Runtime.evaluate', { expression }, { deadlineMs: PATIENCE_MS });
    await expect(tooLong).rejects.toMatchObject({ code: 'cdp-error' });
    expect(await evaluate(page, '1 + 1')).toBe(2);
  });
});
