import type { Assets } from './assets.ts';
import { escapeHtml } from './html.ts';

/** Configuration that the shell passes to the client before it pairs (S-035). */
export interface SessionConfiguration {
  readonly DEBUG: boolean;
  readonly TC_API_VERSION: number;
  readonly TC_BUNDLED: boolean;
  readonly INSPECT_DOMAIN: string;
  readonly CLUSTER_DOMAIN: string;
  readonly BUILD_ID: string;
  readonly HOST: string;
  readonly TPROXY_ENABLED: boolean;
  readonly FRAMEBUST: { readonly enabled: boolean; readonly domains: readonly string[] };
  /** `Sec-Fetch-Site` of the request for the shell, which the client passes on. */
  readonly FETCH_SITE?: string;
  /** The body of an isolated POST. */
  readonly POST?: { readonly body: string; readonly content_type: string };
}

/** Origins beside its own that a shell uses, where they are configured. */
interface ShellDomains {
  /** Origins of the cross-origin helper frame. */
  readonly helpers?: readonly string[];
  /** Origins of sign-in pages: the shell posts a form there (S-043). */
  readonly logins?: readonly string[];
}

/** The shell's content security policy: our own scripts by address, the import map by its hash, nothing else. */
export function shellPolicy(assets: Assets, frameAncestors: readonly string[], domains: ShellDomains = {}): string {
  const { helpers = [], logins = [] } = domains;
  return [
    "default-src 'none'",
    `script-src 'self' ${assets.importMapHash}`,
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' blob: data:",
    "font-src 'self'",
    "media-src 'self' blob:",
    ["frame-src 'self'", ...helpers].join(' '),
    "worker-src 'self'",
    "base-uri 'none'",
    `form-action ${logins.join(' ') || "'none'"}`,
    `frame-ancestors ${frameAncestors.join(' ') || "'none'"}`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}

/**
 * The top document in the person's browser. It is the same for every page: the client reads the page's address from its
 * own URL. `look`: markup of the link to the person's sheet.
 */
export function shellDocument(assets: Assets, configuration: SessionConfiguration, look = ''): string {
  const session = Buffer.from(JSON.stringify(configuration)).toString('base64');
  const style = assets.style('shell');
  return `<!doctype html>
<html lang="en" data-vitrine-role="top" data-vitrine-state="pairing">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="same-origin">
<meta id="vitrine-session-info" data-session="${session}">
<title>Vitrine</title>
<link rel="icon" href="data:,">
${style ? `<link rel="stylesheet" href="${style}">\n` : ''}${look}<script type="importmap">${assets.importMap}</script>
${assets.preload.map((address) => `<link rel="modulepreload" href="${address}">\n`).join('')}<script type="module" src="${assets.entry}"></script>
</head>
<body>
<div id="vitrine-preload" role="status" aria-live="polite"><span class="spinner" aria-hidden="true"></span><span id="vitrine-info">Opening the page …</span></div>
<div id="vitrine-overlay"></div>
<noscript>${escapeHtml('Vitrine needs JavaScript to show pages. Scripts of the site never run in this browser.')}</noscript>
</body>
</html>
`;
}
