import { onAbort } from '../../../core/protocol/on-abort.ts';
import * as v from 'valibot';
import type { ActivateHost } from '../../../host/plugin.ts';
import {
  creationOptions,
  requestOptions,
  webauthnCancel,
  webauthnCrossOrigin,
  webauthnRequest,
  webauthnResult,
} from '../protocol.ts';
import type { WebauthnRequest, WebauthnResult } from '../protocol.ts';
import { credentialDeskToken } from './credentials.ts';
import type { CredentialHandler, CredentialOutcome, CredentialRequest } from './credentials.ts';
import { mayClaim } from './relying-party.ts';
import { responseOf } from './response.ts';

const MAIN_FRAME = 1;
const REFUSED: CredentialOutcome = { ok: false, error: 'NotAllowedError' };

interface Pending {
  readonly request: WebauthnRequest;
  readonly settle: (result: WebauthnResult | undefined) => void;
}

/** Relays the page's requests for passkeys and security keys to the person's browser, one at a time. */
export const activate: ActivateHost = ({ commands, hooks, tab, services, onDispose }) => {
  let pending: Pending | undefined;
  let last = 0;

  /** Cancels the pending request. Any failure looks to the page like a cancellation by the person. */
  const cancel = (): void => {
    if (!pending) return;
    commands.send(webauthnCancel, { id: pending.request.id });
    pending.settle(undefined);
  };
  const relay = async (request: WebauthnRequest, signal: AbortSignal): Promise<WebauthnResult | undefined> => {
    const { promise, resolve } = Promise.withResolvers<WebauthnResult | undefined>();
    pending = { request, settle: resolve };
    const unlisten = onAbort(signal, cancel);
    commands.send(webauthnRequest, request);
    try {
      return await promise;
    } finally {
      unlisten();
      pending = undefined;
    }
  };
  const desk = services.get(credentialDeskToken);
  const answer: CredentialHandler = async ({ kind, origin, isSameOrigin, options, signal }) => {
    if (!isSameOrigin) {
      commands.send(webauthnCrossOrigin, { origin: origin.slice(0, 300) });
      return { ok: false, error: 'NotSupportedError' };
    }
    const ask = askOf(kind, options);
    if (!ask || pending) return REFUSED;
    const rpId = ask.kind === 'create' ? ask.options.rp.id : ask.options.rpId;
    if (!mayClaim(origin, rpId)) return { ok: false, error: 'SecurityError' };
    const result = await relay({ id: ++last, origin, ask }, signal);
    const response = result && responseOf(result, { kind, origin, challenge: ask.options.challenge });
    return response ? { ok: true, response } : REFUSED;
  };
  onDispose(desk.handle(tab.id, answer));
  onDispose(cancel);

  commands.handle(webauthnResult, ({ request, result }) => {
    if (pending?.request.id === request) pending.settle(result);
  });
  hooks.tap(tab.hooks.navigated, ({ frame, sameDocument }) => {
    if (frame === MAIN_FRAME && !sameDocument) cancel();
  });
  hooks.tap(tab.hooks.replaced, cancel);
  hooks.tap(tab.hooks.clientAttached, ({ fresh }) => {
    if (fresh) cancel(); // the browser's request ended with the previous client
  });
};

function askOf(kind: CredentialRequest['kind'], options: object): WebauthnRequest['ask'] | undefined {
  if (kind === 'create') {
    const read = v.safeParse(creationOptions, options);
    return read.success ? { kind, options: read.output } : undefined;
  }
  const read = v.safeParse(requestOptions, options);
  return read.success ? { kind, options: read.output } : undefined;
}
