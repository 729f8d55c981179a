import { slot, textsToken } from '../../../core/index.ts';
import type { ActivateClient, DialogProps, SlotContribution, Texts } from '../../../core/index.ts';
import { webauthnCancel, webauthnCrossOrigin, webauthnRequest, webauthnResult } from '../protocol.ts';
import type { WebauthnResult } from '../protocol.ts';
import { useCredential } from './credential.ts';

export type RefusedProps = { readonly site: string; readonly texts: Texts } & DialogProps<true>;

const refused = slot<RefusedProps>('webauthn.refused', 'dialog');
const contribution: SlotContribution<RefusedProps> = {
  load: () => import('./refused.tsx'),
};

const CATALOGUES = {
  en: () => import('./messages/en.ts'),
  de: () => import('./messages/de.ts'),
  ar: () => import('./messages/ar.ts'),
};

/** Asks this browser on behalf of the page. Where it does not allow this service to act for other sites, shows the reason once. */
export const activate: ActivateClient = async ({ commands, events, services, slots, log, signal }) => {
  const texts = services.get(textsToken);
  await texts.load(CATALOGUES);
  const asked = new Map<number, AbortController>();
  let isTold = false;

  commands.handle(webauthnRequest, async (request) => {
    const cancelling = new AbortController();
    asked.set(request.id, cancelling);
    let result: WebauthnResult = { success: false };
    try {
      result = await useCredential(request, AbortSignal.any([cancelling.signal, signal]));
    } catch (thrown) {
      const { name } = thrown as { readonly name?: unknown }; // any thrown value
      log.info('the browser returned no credential', { reason: String(name) });
      const isNews = !isTold && ['SecurityError', 'NotSupportedError', 'TypeError'].includes(String(name));
      if (isNews && !cancelling.signal.aborted) {
        isTold = true;
        const site = URL.parse(request.origin)?.host ?? '';
        void slots.ask(refused, contribution, { site, texts }, signal);
      }
    }
    asked.delete(request.id);
    if (!cancelling.signal.aborted) commands.send(webauthnResult, { request: request.id, result });
  });
  commands.handle(webauthnCancel, ({ id }) => asked.get(id)?.abort());
  commands.handle(webauthnCrossOrigin, ({ origin }) => {
    events.report('tc-webauthn-cross-origin', { origin }, { level: 'warning' });
  });
};
