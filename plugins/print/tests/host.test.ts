import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { pluginHarness } from '../../../core/testing/harness.ts';
import { AppError, pageMarkToken } from '../../../host/plugin.ts';
import { activate } from '../host/index.ts';
import { pagePrinterToken } from '../host/page-printer.ts';
import { FIRST_PAUSE_MS, LONGEST_PAUSE_MS, SHORT_PAUSE_MS, Throttle } from '../host/throttle.ts';
import { manifest } from '../manifest.ts';
import { personAsked, printAsked, printBegun, printOpen, printOver, unblockPrint } from '../protocol.ts';

const PDF = Buffer.from('%PDF-1.4 and so on');

// The clock stands still: the pause after a dialog does not pass.
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

async function start(policy = { print_enabled: true }, mark?: string, options = {}) {
  const harness = pluginHarness(manifest, { options });
  const { client, cdp, host, page, flush } = harness;
  vi.spyOn(host.tab, 'policy').mockImplementation(() => ({ site_capabilities: policy }) as never); // the only part that is used
  if (mark !== undefined) harness.hostServices.provide(pageMarkToken, { printed: () => mark });
  const opened: unknown[] = [];
  const over: number[] = [];
  client.commands.handle(printOpen, (params) => void opened.push(params));
  harness.frames.load({ id: 2, url: 'https://frame.test/' });
  for (const frame of [1, 2]) {
    page.in(frame).handle(printOver, () => void over.push(frame));
    page.in(frame).handle(printBegun, () => undefined);
  }
  cdp.answer('Page.printToPDF', () => PDF);
  await activate(host);
  const ask = async (): Promise<void> => {
    page.in(1).send(printAsked, undefined);
    await flush();
  };
  const unblock = async (id: number): Promise<void> => {
    client.commands.send(unblockPrint, { id });
    await flush();
  };
  return { ...harness, opened, over, ask, unblock, printer: host.services.get(pagePrinterToken), policy };
}

describe('the documents of a page', () => {
  it('are as large as the option says, and counted', async () => {
    const { printer, cdp, host, recorded } = await start(undefined, undefined, { 'max-document': 2 });
    const bounds = vi.spyOn(host.cdp, 'stream');
    await printer.print({});
    expect(bounds.mock.calls[0]?.[3]).toMatchObject({ maxBytes: 2 * 1024 * 1024 });
    expect(Object.fromEntries(recorded.counts)).toEqual({ documents: 1, bytes: PDF.length });
    cdp.answer('Page.printToPDF', () => Buffer.from('no document'));
    await expect(printer.print({})).rejects.toMatchObject({ code: 'print-failed' });
    expect(recorded.counts.get('documents')).toBe(1);
  });
});

describe('a page that is printed', () => {
  it('[R-053] [R-091] is asked about once until printing has ended, then continues, in all its frames', async () => {
    const { ask, unblock, opened, over } = await start();
    await ask();
    await ask();
    expect(opened).toEqual([{ id: 1, allowed: true }]);
    await unblock(7);
    expect(over).toEqual([]);
    await unblock(1);
    expect(over).toEqual([1, 2]);
  });

  it('continues immediately when it asks again too soon', async () => {
    const { ask, unblock, opened, over } = await start();
    await ask();
    await unblock(1);
    await ask();
    expect(opened).toHaveLength(1);
    expect(over).toEqual([1, 2, 1]);
  });

  it('[R-053] is asked about when the person wants to print it, and not while they are asked', async () => {
    const { client, ask, unblock, opened, flush, hostHooks, faults } = await start();
    const want = async (): Promise<void> => {
      client.commands.send(personAsked, undefined);
      await flush();
    };
    await unblock(1); // nobody has been asked yet
    hostHooks.navigated.call({ frame: 1, url: '', sameDocument: false });
    await want();
    await want();
    await ask();
    expect(opened).toEqual([{ id: 1, allowed: true }]);
    await unblock(1);
    await want();
    expect(opened).toHaveLength(1); // it was for the one before
    vi.advanceTimersByTime(SHORT_PAUSE_MS);
    await want();
    expect(opened).toEqual([
      { id: 1, allowed: true },
      { id: 2, allowed: true },
    ]);
    expect(faults).toEqual([]);
  });

  it('[R-091] hears that it is over where nobody was asked, and otherwise once the person is done', async () => {
    const { ask, unblock, over, printer, flush } = await start();
    await printer.print({});
    await flush();
    expect(over.splice(0)).toEqual([1, 2]);
    await ask();
    await printer.print({});
    await flush();
    expect(over).toEqual([]);
    await unblock(1);
    expect(over).toEqual([1, 2]);
  });

  it('[R-053] has each of its frames told before it is printed, and is printed though one of them fails', async () => {
    const { frames, page, cdp, printer } = await start();
    const told: (number | string)[] = [];
    for (const frame of [3, 4]) {
      frames.load({ id: frame, url: 'https://frame.test/' });
      page.in(frame).handle(printBegun, () => {
        told.push(frame);
        if (frame === 3) throw new Error('It fails.');
      });
    }
    cdp.answer('Page.printToPDF', () => {
      told.push('printed');
      return PDF;
    });
    expect(await printer.print({})).toBe(PDF);
    expect(told).toEqual([3, 4, 'printed']);
  });

  it('[R-053] has the next document of a frame told, where that is awaited', async () => {
    const { frames, page, printer, flush } = await start();
    const told: string[] = [];
    frames.load({ id: 3, url: 'https://frame.test/' });
    page.in(3).handle(printBegun, () => {
      told.push('begun');
      if (told.length === 1) throw new AppError('document-awaited', 'It is on its way.');
    });
    await printer.print({});
    await flush();
    expect(told).toEqual(['begun', 'begun']);
  });

  it('is printed after a document in one of its frames has been replaced, and after one that was not asked for', async () => {
    const { ask, printer, hostHooks } = await start();
    await ask();
    hostHooks.navigated.call({ frame: 2, url: '', sameDocument: false });
    expect(await printer.print({})).toBe(PDF);
  });

  it('is asked about again by a reloaded client', async () => {
    const { ask, unblock, opened, hostHooks, flush } = await start();
    await ask();
    hostHooks.clientAttached.call({ fresh: false });
    await flush();
    expect(opened).toHaveLength(1);
    hostHooks.clientAttached.call({ fresh: true });
    await flush();
    expect(opened).toHaveLength(2);
    await unblock(1);
    hostHooks.clientAttached.call({ fresh: true });
    await flush();
    expect(opened).toHaveLength(2);
  });

  it('is printed only while the policy allows it, regardless of the client', async () => {
    const { ask, opened, printer, policy, cdp } = await start();
    policy.print_enabled = false;
    await ask();
    expect(opened).toEqual([{ id: 1, allowed: false }]);
    await expect(printer.print({})).rejects.toMatchObject({ code: 'policy-refused' });
    expect(cdp.sent).toEqual([]);
    policy.print_enabled = true;
    expect(await printer.print({})).toBe(PDF);
  });

  it('is printed only with known options', async () => {
    const { printer, cdp } = await start();
    await expect(printer.print({ scale: '1000' })).rejects.toMatchObject({ code: 'bad-message' });
    await printer.print({ scale: '150' });
    expect(cdp.sent).toMatchObject([{ frame: 0, method: 'Page.printToPDF', params: { scale: 1.5 } }]);
  });

  it('has the watermark of the tab’s pages, as plain text, with the time', async () => {
    const templates = async (mark?: string): Promise<string> => {
      const { printer, cdp } = await start(undefined, mark);
      await printer.print({ header_footer: 'false' });
      return JSON.stringify(cdp.sent[0]?.params);
    };
    expect(await templates('R&D <b> person, {time}')).toMatch(/>R&#38;D &#60;b&#62; person, \d{4}-\d\d-\d\dT[\d:.]+Z</);
    expect(await templates('')).toBe(await templates());
    expect(await templates()).not.toContain('R&');
  });

  it('is not printed when another page has replaced it', async () => {
    const { ask, unblock, printer, hostHooks } = await start();
    await ask();
    hostHooks.navigated.call({ frame: 1, url: '', sameDocument: true });
    await printer.print({});
    hostHooks.navigated.call({ frame: 1, url: '', sameDocument: false });
    await expect(printer.print({})).rejects.toMatchObject({ code: 'page-left' });
    await unblock(1);
    await printer.print({});
  });

  it.each([
    ['the page was left', 'page-left'],
    ['the policy has changed', 'policy-refused'],
  ])('is not returned when %s during printing', async (_what, code) => {
    const { printer, cdp, policy, hostHooks } = await start();
    cdp.answer('Page.printToPDF', () => {
      if (code === 'page-left') hostHooks.navigated.call({ frame: 1, url: '', sameDocument: false });
      else policy.print_enabled = false;
      return PDF;
    });
    await expect(printer.print({})).rejects.toMatchObject({ code });
  });

  it('is printed once at a time, and a result that is not a PDF fails', async () => {
    const { printer, cdp } = await start();
    const { promise, resolve } = Promise.withResolvers<Uint8Array>();
    cdp.answer('Page.printToPDF', () => promise);
    const first = printer.print({});
    await expect(printer.print({})).rejects.toMatchObject({ code: 'print-busy', retryable: true });
    resolve(Buffer.from('<html>'));
    await expect(first).rejects.toMatchObject({ code: 'print-failed' });
  });
});

describe('dialogs for a page that prints in a loop', () => {
  it('are shown one at a time, with growing delays, until the person asks for one', () => {
    let now = 0;
    const throttle = new Throttle(() => now);
    const shown = (after: number, hasGesture = false): boolean => {
      now += after;
      const isAdmitted = throttle.admit(hasGesture);
      if (isAdmitted) throttle.closed();
      return isAdmitted;
    };
    expect(shown(0)).toBe(true);
    for (const pause of [FIRST_PAUSE_MS, 2 * FIRST_PAUSE_MS, 4 * FIRST_PAUSE_MS]) {
      expect(shown(pause - 1)).toBe(false);
      expect(shown(1)).toBe(true);
    }
    for (let round = 0; round < 3; round++) shown(LONGEST_PAUSE_MS);
    expect(shown(LONGEST_PAUSE_MS - 1)).toBe(false);
    expect(shown(1)).toBe(true);
    expect(shown(SHORT_PAUSE_MS - 1, true)).toBe(false);
    expect(shown(1, true)).toBe(true);
    expect(shown(SHORT_PAUSE_MS)).toBe(true);
  });
});
