import { AppError } from '../../../core/protocol/errors.ts';
import type { CdpSession } from '../../surrogate/cdp-session.ts';

/** The blank document of a page that no other has opened: its origin is opaque. */
const FROM_BLANK = (url: string): string =>
  `location.href === 'about:blank' && origin === 'null' && (location.replace(${JSON.stringify(url)}), true)`;

/**
 * Opens an address as a link of another site does: `Sec-Fetch-Site: cross-site`, no cookies with SameSite=Strict. A navigation of CDP
 * has no initiator, and counts as typed by the person. A document at the referrer's address would be an initiator of that site, which a redirect by a
 * third site on the way here may not be; so the document is a blank one.
 *
 * @throws AppError as CdpSession.send, or `no-blank-page`
 */
export async function openAsLink(page: CdpSession, url: string, deadlineMs: number): Promise<void> {
  const open = async (): Promise<boolean> => {
    const expression = FROM_BLANK(url);
    const { result } = await page.send('Runtime.evaluate', { expression, userGesture: true, returnByValue: true });
    return result.value === true;
  };
  if (await open()) return;
  await page.send('Page.navigate', { url: 'about:blank' }, { deadlineMs });
  if (!(await open())) throw new AppError('no-blank-page', 'The page did not become blank.', { retryable: true });
}
