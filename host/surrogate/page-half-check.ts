import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../../core/protocol/errors.ts';
import type { CdpConnection } from './cdp.ts';
import { DEFAULT_DEADLINE_MS } from './cdp-session.ts';

/** Name of the page halves' isolated world: the extension's name. */
export const PAGE_WORLD = 'vitrine';

/** A page of our own: it is answered here and sends no requests, not even for an icon. */
const CHECK_URL = 'http://page-half-check.invalid/';
const CHECK_PAGE = '<!doctype html><link rel="icon" href="data:,">';

/**
 * Checks that the page halves' world appears in a page: Chromium drops an extension that it cannot read or rejects
 * without a report. (A top document at about:blank or data: gets no content script unless a page opened it; so the
 * check opens a page of its own and closes it again.)
 *
 * @returns the extension's origin.
 * @throws AppError `page-half-missing` when it does not.
 */
export async function assertPageHalf(connection: CdpConnection, deadlineMs = DEFAULT_DEADLINE_MS): Promise<string> {
  const { targetId } = await connection.root.send('Target.createTarget', { url: 'about:blank' });
  try {
    const session = await connection.attach(targetId);
    const found = new Promise<string>((resolve) => {
      session.on('Runtime.executionContextCreated', ({ context }) => {
        if (context.name === PAGE_WORLD && context.origin.startsWith('chrome-extension://')) resolve(context.origin);
      });
    });
    session.on('Fetch.requestPaused', ({ requestId }) => {
      const responseHeaders = [{ name: 'content-type', value: 'text/html' }];
      const answer = {
        requestId,
        responseCode: 200,
        responseHeaders,
        body: Buffer.from(CHECK_PAGE).toString('base64'),
      };
      // If this fails the world does not appear, which is reported below.
      session.send('Fetch.fulfillRequest', answer).catch(() => {});
    });
    await Promise.all([
      session.send('Fetch.enable'),
      session.send('Runtime.enable'),
      session.send('Page.navigate', { url: CHECK_URL }, { deadlineMs }),
    ]);
    const late = new AbortController();
    const inTime = await Promise.race([
      found,
      delay(deadlineMs, undefined, { signal: late.signal }).catch(() => undefined),
    ]);
    late.abort();
    if (inTime === undefined)
      throw new AppError(
        'page-half-missing',
        `No world named ${PAGE_WORLD} appears in a page: is the extension valid?`,
      );
    return inTime;
  } finally {
    await connection.root.send('Target.closeTarget', { targetId });
  }
}
