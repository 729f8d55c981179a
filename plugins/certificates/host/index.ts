import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import * as v from 'valibot';
import { quotable, toAppError } from '../../../host/plugin.ts';
import type { ActivateHost, HostScope } from '../../../host/plugin.ts';
import type { manifest } from '../manifest.ts';
import { acceptCert, certificateClose, certificateInvalid, MAX_NAME } from '../protocol.ts';
import type { InvalidCertificate } from '../protocol.ts';
import { certificateError, faultOf } from './fault.ts';

const MAIN_FRAME = 1;
/** Time for the surrogate to say what it knows of a certificate, in ms. */
const FACTS_MS = 10_000;
/** Interval of looks at a page that has not loaded, in ms. */
const LOOK_MS = 100;
const STATE = 'Security.visibleSecurityStateChanged';
/** In Chromium's own error page, which no site can reach: whether it offers to proceed, and the button that does. */
const OFFERS = `(async () => {
  if (document.readyState === 'loading')
    await new Promise((loaded) => addEventListener('DOMContentLoaded', loaded, { once: true }));
  return location.protocol === 'chrome-error:' ? globalThis.loadTimeDataRaw?.overridable === true : null;
})()`;
const PROCEED = 'certificateErrorPageController.proceed()';

const text = v.pipe(v.string(), v.maxLength(100_000));
const stateSchema = v.object({
  certificateSecurityState: v.object({
    certificate: v.pipe(v.array(text), v.minLength(1), v.maxLength(20)),
    subjectName: text,
    issuer: text,
    validFrom: v.pipe(v.number(), v.finite()),
    validTo: v.pipe(v.number(), v.finite()),
  }),
});
type Certificate = InvalidCertificate['certificate'];
type Scope = HostScope<typeof manifest>;

/**
 * Tells the person what is wrong with a certificate, and lets them proceed where the policy and the site let them. Chromium decides and
 * remembers: the host only presses the button of its error page, which it does not have for sites with HSTS.
 */
export const activate: ActivateHost<typeof manifest> = (scope) => {
  const { commands, hooks, tab, cdp, records, log } = scope;
  let shown: { readonly url: string; readonly question: InvalidCertificate } | undefined;
  let last = 0;

  const close = (): void => {
    last += 1; // what is being asked of the surrogate is about a page that has gone
    if (shown) commands.send(certificateClose, { id: shown.question.id });
    shown = undefined;
  };
  const show = async (url: string, code: string): Promise<void> => {
    const id = ++last;
    const [certificate, offers] = await Promise.all([certificateOf(scope), isOffered(scope)]);
    if (id !== last) return;
    const question: InvalidCertificate = {
      id,
      site: (URL.parse(url)?.host ?? '').slice(0, 300),
      fault: faultOf(code, certificate?.from),
      code: code.slice(0, 100),
      certificate,
      proceed: !offers ? 'site' : tab.policy(url).certificates.accept_invalid ? 'allowed' : 'policy',
    };
    shown = { url, question };
    commands.send(certificateInvalid, question);
  };

  hooks.tap(tab.hooks.navigated, ({ frame, sameDocument }) => {
    if (frame === MAIN_FRAME && !sameDocument) close();
  });
  hooks.tap(tab.hooks.replaced, close);
  hooks.tap(tab.hooks.navigationFailed, ({ frame, url, errorText }) => {
    const code = frame === MAIN_FRAME ? certificateError(errorText) : undefined;
    if (code !== undefined) void show(url, code);
  });
  hooks.tap(tab.hooks.clientAttached, ({ fresh }) => {
    if (fresh && shown) commands.send(certificateInvalid, shown.question);
  });
  commands.handle(acceptCert, ({ id, accepted }) => {
    if (shown?.question.id !== id) return;
    const { url, question } = shown;
    shown = undefined;
    // The policy may have changed since, and the client may be anybody's.
    const isAllowed = question.proceed === 'allowed' && tab.policy(url).certificates.accept_invalid;
    const decision = !accepted ? 'declined' : isAllowed ? 'accepted' : 'refused';
    records.append('decisions', {
      site: question.site,
      error: question.code,
      fingerprint: question.certificate?.fingerprint ?? '',
      decision,
    });
    if (decision !== 'accepted') return;
    cdp.send(0, 'Runtime.evaluate', { expression: PROCEED }).catch((thrown: unknown) => {
      log.info('the page with the invalid certificate is gone', { code: toAppError(thrown).code });
    });
  });
};

/**
 * Asks until there is an answer: the page that has failed refuses questions while Chromium's error page takes its place ("Not attached to an active
 * page"). Undefined past the time, and once `isOver`.
 */
async function asked<T>(
  ask: () => Promise<T | undefined>,
  isOver: () => boolean = () => false,
): Promise<T | undefined> {
  const until = performance.now() + FACTS_MS;
  while (performance.now() < until && !isOver()) {
    const answer = await ask().catch(() => undefined);
    if (answer !== undefined) return answer;
    await delay(LOOK_MS);
  }
  return undefined;
}

/** Whether Chromium lets anybody proceed. */
async function isOffered({ cdp }: Scope): Promise<boolean> {
  const params = { expression: OFFERS, awaitPromise: true, returnByValue: true };
  const offers = await asked(async () => {
    const { result } = await cdp.send(0, 'Runtime.evaluate', params, { deadlineMs: FACTS_MS });
    return typeof result.value === 'boolean' ? result.value : undefined; // the error page may not have loaded yet
  });
  return offers ?? false;
}

/** The certificate of the page that failed. The page's session says so: what it says is shown, and decides nothing. */
async function certificateOf({ cdp }: Scope): Promise<Certificate> {
  const { promise, resolve } = Promise.withResolvers<Certificate>();
  let isOver = false;
  const timer = setTimeout(() => resolve(null), FACTS_MS);
  const unlisten = cdp.on(STATE, ({ visibleSecurityState }, { frame }) => {
    const state = frame === 0 ? v.safeParse(stateSchema, visibleSecurityState) : undefined;
    if (state?.success === true) resolve(shownOf(state.output.certificateSecurityState));
  });
  // Enabling makes it tell the present state.
  const enabled = asked(
    () => cdp.send(0, 'Security.enable').then(() => true),
    () => isOver,
  );
  try {
    return await promise;
  } finally {
    isOver = true;
    clearTimeout(timer);
    unlisten();
    void enabled.then(() => cdp.send(0, 'Security.disable')).catch(() => undefined); // the page is gone
  }
}

type CertificateState = v.InferOutput<typeof stateSchema>['certificateSecurityState'];

function shownOf({ certificate: [own = ''], subjectName, issuer, validFrom, validTo }: CertificateState): Certificate {
  return {
    subject: quotable(subjectName, MAX_NAME),
    issuer: quotable(issuer, MAX_NAME),
    from: validFrom,
    to: validTo,
    fingerprint: createHash('sha256').update(Buffer.from(own, 'base64')).digest('hex'),
  };
}
