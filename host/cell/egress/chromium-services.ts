/**
 * Names that Chromium itself calls (updates, models, field trials, safe browsing, reports) and that pages have no business with. The flags
 * that a surrogate starts with silence most of it; this is the wall. Not among them are names that sites use too, such as accounts.google.com.
 */
const NAMES = new Set([
  'clients2.google.com',
  'clients4.google.com',
  'clientservices.googleapis.com',
  'update.googleapis.com',
  'optimizationguide-pa.googleapis.com',
  'content-autofill.googleapis.com',
  'passwordsleakcheck-pa.googleapis.com',
  'chromereporting-pa.googleapis.com',
  'accountcapabilities-pa.googleapis.com',
  'ogads-pa.googleapis.com',
  'safebrowsing.google.com',
  'safebrowsing.googleapis.com',
  'safebrowsingohttpgateway.googleapis.com',
  'google-ohttp-relay-safebrowsing.fastly-edge.com',
  'sb-ssl.google.com',
  'mtalk.google.com',
  'android.clients.google.com',
]);
const DOMAINS = ['.gvt1.com', '.gvt2.com'];

/** Takes a name in lower case. */
export function isChromiumService(name: string): boolean {
  return NAMES.has(name) || DOMAINS.some((domain) => name.endsWith(domain));
}
