import { createHash } from 'node:crypto';
import type { WaitingPerson } from '../contracts/link.ts';
import type { Assets } from './assets.ts';
import { escapeHtml } from './html.ts';
import { languageOf } from './language.ts';

/** Interval at which the page asks again, in seconds. */
export const WAITING_REFRESH_S = 3;

/**
 * Asks again in place of the browser where the address has a fragment: a refresh leads such a page to its own part only. To leave for that
 * address the page must have another first; a reload would count as the person's.
 */
const SCRIPT = `if (location.href.includes('#')) setTimeout(() => {
  const { href } = location;
  history.replaceState(null, '', '/');
  location.replace(href);
}, ${WAITING_REFRESH_S * 1000});`;
const SCRIPT_HASH = createHash('sha256').update(SCRIPT).digest('base64');

/** The waiting page's content security policy: it runs {@link SCRIPT} alone. */
export function waitingPolicy(frameAncestors: readonly string[]): string {
  const ancestors = frameAncestors.join(' ') || "'none'";
  return `default-src 'none'; script-src 'sha256-${SCRIPT_HASH}'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors ${ancestors}`;
}

/**
 * The page of a person who waits for a session: why, and the place. It asks again by itself.
 *
 * @param accepted the `accept-language` of the request
 * @param look markup of the link to the person's sheet
 */
export function waitingDocument(
  assets: Pick<Assets, 'style'>,
  { reason, place }: WaitingPerson,
  accepted: string,
  look: string,
): string {
  const { language, direction, texts: all } = languageOf(accepted);
  const texts = all.waiting;
  const style = assets.style('portal');
  const placed =
    reason === 'full' ? `<p role="status">${escapeHtml(texts.place.replace('{place}', String(place)))}</p>\n` : '';
  return `<!doctype html>
<html lang="${language}" dir="${direction}" data-vitrine-role="top" data-vitrine-state="pairing">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="same-origin">
<title>${escapeHtml(texts.title)}</title>
<link rel="icon" href="data:,">
${style ? `<link rel="stylesheet" href="${style}">\n` : ''}${look}</head>
<body>
<main id="vitrine-waiting">
<h1>${escapeHtml(texts.title)}</h1>
<p class="lead">${escapeHtml(texts[reason])}</p>
${placed}<p>${escapeHtml(texts.again)}</p>
</main>
<script>${SCRIPT}</script>
</body>
</html>
`;
}
