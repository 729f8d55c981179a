import type { Assets } from './assets.ts';
import { escapeHtml } from './html.ts';

/** Path of the cross-origin frame: the only document that shells of another of our origins may frame. */
export const COF_PATH = '/safeview-template/cof.html';

/** Host and port of a configured origin. */
export function hostOf(origin: string | undefined): string | undefined {
  return origin === undefined ? undefined : new URL(origin).host;
}

/** A document and its content security policy. */
interface FrameDocument {
  readonly body: string;
  readonly policy: string;
}

/**
 * Origin of the shell that asks for a helper, if it is one of ours: a configured one, or this machine under another of
 * its loopback names. An address literal alone proves nothing: anyone may run a server at that port.
 */
export function shellOrigin(given: unknown, ownHost: string, origins: readonly string[]): string | undefined {
  const url = typeof given === 'string' ? URL.parse(given) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.origin !== given) return undefined;
  const own = new URL(`${url.protocol}//${ownHost}`);
  const isOurs = url.host === own.host || (isLoopback(url) && isLoopback(own) && url.port === own.port);
  return isOurs || origins.includes(url.origin) ? url.origin : undefined;
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/** The helper frame for one shell (S-136): its script accepts that origin and no other. */
export function helperDocument(assets: Assets, shell: string): FrameDocument {
  const script = assets.script('cof') ?? '';
  return {
    policy: [
      "default-src 'none'",
      "script-src 'self'",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      `frame-ancestors ${shell}`,
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ].join('; '),
    body: `<!doctype html>
<html data-vitrine-role="cof-server" data-vitrine-shell="${escapeHtml(shell)}">
<head><meta charset="utf-8"><title>Vitrine helper</title><script type="module" src="${script}"></script></head>
<body></body>
</html>
`,
  };
}

/** A hidden frame without content or script (M-028): only its origin and its role are used. */
export function plainFrame(role: 'comm' | 'sub'): FrameDocument {
  return {
    policy: "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
    body: `<!doctype html>\n<html data-vitrine-role="${role}"><head><meta charset="utf-8"><title>Vitrine</title></head><body></body></html>\n`,
  };
}
