import { isStrictAddress } from '../../protocol/strict-address.ts';
import type { Elsewhere } from '../pairing/pairing.ts';
import type { PageAddress } from '../shell/page-address.ts';
import type { PairRequest } from '../../protocol/pairing.ts';

/** Parameter with the token that lets a page pass the transparent proxy, which removes it. */
const BYPASS_PARAMETER = '_sv_bypass';

/** Facts about the tab that navigates away. */
export interface LeavingTab {
  readonly window: Window;
  readonly page: PageAddress;
  readonly request: PairRequest;
  /** Whether there is a transparent proxy between the person and the web. It isolates requests without a token. */
  readonly proxied: boolean;
  /** The tab's pairing: one that the host has sent away for good has none any more. */
  readonly store: { clear(): void };
}

/** The hidden fields of the form that asks a login page to sign the person in and redirect the tab back (S-043). */
export function loginFields(
  { window, page, request }: Omit<LeavingTab, 'proxied' | 'store'>,
  answer: Extract<Elsewhere, { readonly kind: 'login' }>['answer'],
): Readonly<Record<string, string>> {
  return {
    url: page.url,
    through: window.location.origin + page.prefix,
    entry_mode: request.read_only_entry ? 'read_only' : 'read_write',
    redirect_list: JSON.stringify(answer.rc_rlist ?? []),
    prepend: page.prefix,
    doc_headers: JSON.stringify(request.doc_headers ?? {}),
    xheaders: JSON.stringify(request.xheaders ?? {}),
    inspect_host: answer.inspect_host ?? '',
    mpa_id: page.mpaId ?? '',
  };
}

/**
 * Navigates to the address to which the host redirects this tab instead of giving it a session (S-059, S-060). Returns false when that is
 * not a web address.
 */
export function goElsewhere(to: Elsewhere, tab: LeavingTab): boolean {
  const { window } = tab;
  const address = to.kind === 'direct' ? directAddress(to.access, tab) : to.url;
  const url = address === undefined ? null : URL.parse(address, window.location.href);
  if (!url || !/^https?:$/.test(url.protocol)) return false;
  // Pages of the service get the person's data over TLS, unless the service itself has none.
  if (to.kind !== 'direct' && window.location.protocol === 'https:' && !isStrictAddress(url.href)) return false;
  if (to.kind === 'direct') tab.store.clear();
  if (to.kind === 'login') post(window.document, url.href, loginFields(tab, to.answer));
  else window.location.replace(url.href);
  return true;
}

function directAddress(
  access: Extract<Elsewhere, { readonly kind: 'direct' }>['access'],
  { page, proxied }: LeavingTab,
): string | undefined {
  const given = typeof access === 'object' ? access : {};
  const url = URL.parse(typeof access === 'string' ? access : (given.url ?? page.url));
  if (proxied && given.bypass_token === undefined) return undefined; // otherwise the proxy would redirect it back here, in a loop
  if (given.bypass_token !== undefined) url?.searchParams.set(BYPASS_PARAMETER, given.bypass_token);
  return url?.href;
}

function post(document: Document, action: string, fields: Readonly<Record<string, string>>): void {
  const form = document.createElement('form');
  form.method = 'post';
  form.action = action;
  form.hidden = true;
  for (const [name, value] of Object.entries(fields)) {
    const input = document.createElement('input');
    input.type = 'hidden';
    input.name = name;
    input.value = value;
    form.append(input);
  }
  document.body.append(form);
  form.submit();
}
