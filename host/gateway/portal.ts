import type { Assets } from './assets.ts';
import { escapeHtml } from './html.ts';
import { languageOf } from './language.ts';

/**
 * The portal's content security policy. The address bar is a plain form, so that it works before any script has loaded.
 */
export function portalPolicy(): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}

/** Parts of a document. `head`, `main` and `look` are markup of the host's own, in which all else is escaped. */
interface PortalPage {
  readonly title: string;
  readonly language: string;
  readonly direction: string;
  readonly head?: string;
  readonly main: string;
  readonly look?: string;
}

/** A document of the portal. */
export function portalPage(assets: Pick<Assets, 'style'>, parts: PortalPage): string {
  const { title, language, direction, head = '', main, look = '' } = parts;
  const style = assets.style('portal');
  return `<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<link rel="icon" href="data:,">
${style ? `<link rel="stylesheet" href="${style}">\n` : ''}${look}${head}</head>
<body>
${main}
</body>
</html>
`;
}

/**
 * The page at `/`: an address bar and the recently opened pages, which are stored in the person's browser and filled in
 * by the portal's script.
 *
 * @param accepted the `accept-language` of the request
 * @param look markup of the link to the person's sheet
 * @param refused text that the person typed and that is no address
 */
export function portalDocument(
  assets: Pick<Assets, 'style' | 'script'>,
  accepted: string | undefined,
  look: string,
  refused?: string,
): string {
  const { texts: all, ...spoken } = languageOf(accepted);
  const texts = all.portal;
  const script = assets.script('portal');
  const problem =
    refused === undefined
      ? ''
      : `<p id="problem" role="alert">${escapeHtml(texts.refused).replace('{typed}', () => `<bdi>${escapeHtml(refused.slice(0, 200))}</bdi>`)}</p>`;
  const head = script ? `<script type="module" src="${script}"></script>\n` : '';
  const main = `<main>
<h1>Vitrine</h1>
<p class="lead">${escapeHtml(texts.lead)}</p>
<form action="/" method="get" role="search">
<label for="address">${escapeHtml(texts.address)}</label>
<div class="bar">
<input id="address" name="q" type="text" dir="auto" inputmode="url" autocomplete="off" autocapitalize="none" spellcheck="false" required autofocus placeholder="example.org"${refused === undefined ? '' : ` value="${escapeHtml(refused.slice(0, 2000))}" aria-invalid="true" aria-describedby="problem"`}>
<button type="submit">${escapeHtml(texts.open)}</button>
</div>
${problem}
</form>
<section id="recent" hidden aria-labelledby="recent-title">
<h2 id="recent-title">${escapeHtml(texts.recent)}</h2>
<ul></ul>
<button type="button" id="forget">${escapeHtml(texts.forget)}</button>
</section>
<p><a href="/protection">${escapeHtml(texts.protection)}</a></p>
</main>`;
  return portalPage(assets, { title: 'Vitrine', ...spoken, head, main, look });
}
