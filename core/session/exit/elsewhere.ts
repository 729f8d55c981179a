import type { Elsewhere } from '../pairing/pairing.ts';
import type { PageAddress } from '../shell/page-address.ts';
import type { PairRequest } from '../../protocol/pairing.ts';

/** Carries the token that lets a page past the transparent proxy; the proxy takes it away again. */
const BYPASS_PARAMETER = '_sv_bypass';

/** What is to be known of the tab that leaves. */
export interface LeavingTab {
  readonly window: Window;
  readonly page: PageAddress;
  readonly request: PairRequest;
  /** Whether the transparent proxy stands between the person and the web: it isolates what shows no token. */
  readonly proxied: boolean;
}

/** The hidden fields of the form that asks a login page to sign the person in and send the tab back (S-043). */
export function loginFields(
  { window, page, request }: Omit<LeavingTab, 'proxied'>,
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

/** Goes where the host sends this tab instead of giving it a session (S-059, S-060). False when that is no address of the web. */
export function goElsewhere(to: Elsewhere, tab: LeavingTab): boolean {
  const { window } = tab;
  const address = to.kind === 'direct' ? directAddress(to.access, tab) : to.url;
  const url = address === undefined ? null : URL.parse(address, window.location.href);
  if (!url || !/^https?:$/.test(url.protocol)) return false;
  if (to.kind === 'login') post(window.document, url.href, loginFields(tab, to.answer));
  else window.location.assign(url.href);
  return true;
}

function directAddress(
  access: Extract<Elsewhere, { readonly kind: 'direct' }>['access'],
  { page, proxied }: LeavingTab,
): string | undefined {
  const given = typeof access === 'object' ? access : {};
  const url = URL.parse(typeof access === 'string' ? access : (given.url ?? page.url));
  if (proxied && given.bypass_token === undefined) return undefined; // the proxy would send it back here, for ever
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
