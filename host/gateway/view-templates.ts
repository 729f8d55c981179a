/**
 * The empty documents that the view is built in: one per kind and compatibility mode, with a policy that blocks all
 * scripts.
 */

/** A document of the host's own, ready to be sent. */
export interface ViewTemplate {
  readonly contentType: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Permissions of a view document: pictures, fonts, media and frames that the host serves, and inline style. No script
 * runs, no string becomes markup, no form is sent, nothing else is fetched.
 */
export const VIEW_POLICY = [
  "default-src 'none'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "media-src 'self' blob:",
  "style-src 'unsafe-inline'",
  "frame-src 'self'",
  "script-src 'none'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': VIEW_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  // Every navigation opens one: it must come from the browser's cache, and a new policy must reach all clients soon.
  'cache-control': 'private, max-age=600',
};

const XHTML = 'http://www.w3.org/1999/xhtml';
const LIMITED_QUIRKS =
  '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">';
const EMPTY = '<html><head></head><body></body></html>';

function template(contentType: string, body: string): ViewTemplate {
  return { contentType: `${contentType}; charset=utf-8`, body, headers: HEADERS };
}

/** Path of the templates. */
export const VIEW_PATH = '/safeview-template/view/';

/** The templates by name, `{kind}-{mode}`: served at {@link VIEW_PATH}. XML documents have no quirks. */
export const VIEW_TEMPLATES: Readonly<Record<string, ViewTemplate>> = {
  'html-standards': template('text/html', `<!DOCTYPE html>${EMPTY}`),
  'html-limited-quirks': template('text/html', `${LIMITED_QUIRKS}${EMPTY}`),
  'html-quirks': template('text/html', EMPTY),
  'xhtml-standards': template(
    'application/xhtml+xml',
    `<!DOCTYPE html><html xmlns="${XHTML}"><head></head><body></body></html>`,
  ),
  'svg-standards': template('image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>'),
};
