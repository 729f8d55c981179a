import Provider from 'oidc-provider';
import type { Site } from './site.ts';

const CLIENT = 'app';
const ICON = '<link rel=icon href="data:,">';

/** Page of an application that signs people in by a window: authorization code with PKCE, and a message to the opener. */
const application = (issuer: string): string => `<!doctype html><title>Application</title>${ICON}
<button id=sign-in disabled onclick="signIn()">Sign in</button><p id=who>nobody</p><p id=window>none</p><script>
  const base64 = (bytes) => btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  const verifier = base64(crypto.getRandomValues(new Uint8Array(32)));
  const state = base64(crypto.getRandomValues(new Uint8Array(16)));
  const redirect = location.origin + '/signed-in';
  let challenge, popup;
  crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier)).then((hash) => { challenge = base64(new Uint8Array(hash));
    document.getElementById('sign-in').disabled = false; });
  function signIn() {
    const asked = { client_id: '${CLIENT}', response_type: 'code', scope: 'openid', redirect_uri: redirect, state,
      code_challenge: challenge, code_challenge_method: 'S256' };
    popup = window.open('${issuer}/auth?' + new URLSearchParams(asked), 'sign-in', 'popup,width=480,height=360');
    setInterval(() => (document.getElementById('window').textContent = popup.closed ? 'closed' : 'open'), 50);
  }
  addEventListener('message', async ({ data, origin, source }) => {
    if (origin !== location.origin || source !== popup || data.state !== state) return;
    const body = new URLSearchParams({ grant_type: 'authorization_code', client_id: '${CLIENT}', code: data.code,
      redirect_uri: redirect, code_verifier: verifier });
    const answer = await (await fetch('${issuer}/token', { method: 'POST', body })).json();
    who.textContent = JSON.parse(atob(answer.id_token.split('.')[1])).sub;
  });
</script>`;
const SIGNED_IN = `<!doctype html><title>Signed in</title>${ICON}<script>
  const { code, state } = Object.fromEntries(new URLSearchParams(location.search));
  opener.postMessage({ code, state }, location.origin);
  close();
</script>`;
const FORM = (what: string): string => `<!doctype html><title>Provider</title>${ICON}<h1>${what}</h1>
<form method=post><button id=go>${what}</button></form>`;

/**
 * Adds a certified OpenID Connect provider to a site, whose address is the provider's, and an application at `application`, another origin of the
 * same server, which uses it.
 */
export function provideIdentity(site: Site, application_: string): void {
  const provider = new Provider(site.origin, {
    clients: [
      {
        client_id: CLIENT,
        redirect_uris: [`${application_}/signed-in`],
        token_endpoint_auth_method: 'none',
        application_type: 'native', // an application on loopback, without https
      },
    ],
    cookies: { keys: ['of a test'] },
    features: { devInteractions: { enabled: false } },
    clientBasedCORS: () => true,
    findAccount: (_context: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
    interactions: {
      url: (_context: unknown, { uid }: { readonly uid: string }) => {
        site.on(`/auth/${uid}`, handle);
        return `/interaction?uid=${uid}`;
      },
    },
  });
  const handler = provider.callback();
  const handle: Parameters<Site['on']>[1] = (request, response) => void handler(request, response);
  for (const path of ['/auth', '/token', '/jwks']) site.on(path, handle);
  site.on('/app', application(site.origin));
  site.on('/signed-in', SIGNED_IN);
  site.on('/interaction', (request, response) => {
    const act = async (): Promise<void> => {
      const { prompt, session } = await provider.interactionDetails(request, response);
      if (request.method !== 'POST') {
        response.writeHead(200, { 'content-type': 'text/html' }).end(FORM(prompt.name));
        return;
      }
      if (prompt.name === 'login') {
        await provider.interactionFinished(request, response, { login: { accountId: 'anna' } });
        return;
      }
      const grant = new provider.Grant({ accountId: session?.accountId ?? '', clientId: CLIENT });
      grant.addOIDCScope('openid');
      await provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
    };
    act().catch((thrown: unknown) => response.writeHead(500).end(String(thrown)));
  });
}
