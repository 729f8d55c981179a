/**
 * Hosts that Chromium itself calls (updates, models, field trials, safe browsing, reports) and that pages do not need.
 * The surrogate's flags disable most of these requests; this list blocks the rest. It does not include hosts that sites
 * use too, such as accounts.google.com.
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

/** Whether a lower-case name is one of these hosts. */
export function isChromiumService(name: string): boolean {
  return NAMES.has(name) || DOMAINS.some((domain) => name.endsWith(domain));
}
