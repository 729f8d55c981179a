import type { Assets } from './assets.ts';
import { escapeHtml } from './html.ts';

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

/** A document of the portal. `head`, `main` and `look` are markup of the host's own, in which all else is escaped. */
export function portalPage(
  assets: Pick<Assets, 'style'>,
  parts: { readonly title: string; readonly head?: string; readonly main: string; readonly look?: string },
): string {
  const { title, head = '', main, look = '' } = parts;
  const style = assets.style('portal');
  return `<!doctype html>
<html lang="en">
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
 * @param look markup of the link to the person's sheet
 * @param refused text that the person typed and that is no address
 */
export function portalDocument(assets: Pick<Assets, 'style' | 'script'>, look: string, refused?: string): string {
  const script = assets.script('portal');
  const problem =
    refused === undefined
      ? ''
      : `<p id="problem" role="alert">“${escapeHtml(refused.slice(0, 200))}” is not a web address. Try something like <b>example.org</b> or <b>https://example.org/page</b>.</p>`;
  const head = script ? `<script type="module" src="${script}"></script>\n` : '';
  const main = `<main>
<h1>Vitrine</h1>
<p class="lead">Open any site. Its code runs in a disposable browser on the host, never on your machine.</p>
<form action="/" method="get" role="search">
<label for="address">Web address</label>
<div class="bar">
<input id="address" name="q" type="text" inputmode="url" autocomplete="off" autocapitalize="none" spellcheck="false" required autofocus placeholder="example.org"${refused === undefined ? '' : ` value="${escapeHtml(refused.slice(0, 2000))}" aria-invalid="true" aria-describedby="problem"`}>
<button type="submit">Open</button>
</div>
${problem}
</form>
<section id="recent" hidden aria-labelledby="recent-title">
<h2 id="recent-title">Recent pages</h2>
<ul></ul>
<button type="button" id="forget">Forget them</button>
</section>
<p><a href="/protection">What protects you</a></p>
</main>`;
  return portalPage(assets, { title: 'Vitrine', head, main, look });
}
