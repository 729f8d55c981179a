import * as v from 'valibot';
import { toAppError } from '../../../host/plugin.ts';
import type { ActivateSession, SessionTab } from '../../../host/plugin.ts';
import { CANCELLED, CredentialDesk, credentialDeskToken } from './credentials.ts';
import type { CredentialRequest } from './credentials.ts';

const MAIN_FRAME = 1;
/** Maximum number of frames of a tab that are asked for their origin. */
const MAX_FRAMES = 20;
/** Maximum length of a request's options, in UTF-16 units. */
const MAX_OPTIONS = 200_000;

const requestId = v.pipe(v.number(), v.safeInteger());
const callSchema = v.variant('kind', [
  v.object({ kind: v.literal('cancel'), requestId }),
  v.object({
    kind: v.picklist(['create', 'get']),
    requestId,
    options: v.pipe(v.string(), v.maxLength(MAX_OPTIONS), v.parseJson(), v.record(v.string(), v.unknown())),
  }),
]);
/** Facts about the caller, added by the browser process. */
const callerSchema = v.object({
  remoteDesktopClientOverride: v.object({
    origin: v.pipe(v.string(), v.maxLength(1000)),
    sameOriginWithAncestors: v.boolean(),
  }),
});

/**
 * Handles requests of pages to authenticators, as received from the extension half. Chromium reports the requesting origin, and
 * whether all ancestor frames have it, but not the tab. Of the tabs that show the origin, the one with the person's latest recent press is
 * used: what they show is asked of the browser's process, since a page's own may claim any origin, and would get the request of another tab.
 */
export const activateSession: ActivateSession = ({ surrogate, session, services, log }) => {
  const desk = new CredentialDesk();
  const asked = new Map<number, AbortController>();
  const answer = async (
    kind: 'create' | 'get',
    options: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<object> => {
    const caller = v.safeParse(callerSchema, options['extensions']);
    const { origin, sameOriginWithAncestors: isSameOrigin } = caller.success
      ? caller.output.remoteDesktopClientOverride
      : { origin: '', sameOriginWithAncestors: false };
    const request = { kind, origin, isSameOrigin, options, signal };
    const tab = await tabOf(session.tabs(), request);
    const outcome = tab ? await desk.ask(tab.id, request) : CANCELLED;
    return outcome.ok
      ? { responseJson: JSON.stringify(outcome.response) }
      : { error: { name: outcome.error, message: '' } };
  };
  surrogate.onExtensionCall(async (value, workerGone) => {
    const call = v.safeParse(callSchema, value);
    if (!call.success) return undefined; // the extension is ours: an invalid call would be our own fault
    const { output } = call;
    if (output.kind === 'cancel') {
      asked.get(output.requestId)?.abort();
      return undefined;
    }
    const cancelling = new AbortController();
    asked.set(output.requestId, cancelling);
    try {
      return await answer(output.kind, output.options, AbortSignal.any([cancelling.signal, workerGone]));
    } catch (thrown) {
      log.error('a credential request failed', { error: toAppError(thrown).message });
      throw thrown;
    } finally {
      asked.delete(output.requestId);
    }
  });
  services.provide(credentialDeskToken, desk);
};

async function tabOf(
  tabs: readonly SessionTab[],
  { origin, isSameOrigin }: Pick<CredentialRequest, 'origin' | 'isSameOrigin'>,
): Promise<SessionTab | undefined> {
  /**
   * Whether the tab's page has the origin of the request. Where all ancestor frames have it, the page has it: a tab that merely embeds the
   * origin has not asked.
   */
  const shows = async (tab: SessionTab): Promise<boolean> => {
    const asking = tab
      .frames()
      .filter((frame) => frame.origin === origin && (!isSameOrigin || frame.id === MAIN_FRAME))
      .slice(0, MAX_FRAMES);
    const known = await Promise.all(asking.map(({ id }) => tab.originOf(id)));
    return known.includes(origin);
  };
  const latest = tabs.filter(({ gesture }) => gesture.isActive()).sort((a, b) => b.gesture.actedAt - a.gesture.actedAt);
  for (const tab of latest) if (await shows(tab)) return tab;
  return undefined;
}
