import * as v from 'valibot';
import { toAppError } from '../../../host/plugin.ts';
import type { ActivateSession, SessionTab } from '../../../host/plugin.ts';
import { CANCELLED, CredentialDesk, credentialDeskToken } from './credentials.ts';
import type { CredentialRequest } from './credentials.ts';

const MAIN_FRAME = 1;
/** Longest options of a request, in UTF-16 units. */
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
/** What the browser's own process adds: who asks. */
const callerSchema = v.object({
  remoteDesktopClientOverride: v.object({
    origin: v.pipe(v.string(), v.maxLength(1000)),
    sameOriginWithAncestors: v.boolean(),
  }),
});

/**
 * Answers what pages ask of authenticators, as the extension half tells it. Chromium says which origin asks, and whether it is
 * that of all frames around it, not in which tab: it is taken for the tab that the person has last pressed something in, just now, of those
 * that show the origin.
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
    const tab = tabOf(session.tabs(), request);
    const outcome = tab ? await desk.ask(tab.id, request) : CANCELLED;
    return outcome.ok
      ? { responseJson: JSON.stringify(outcome.response) }
      : { error: { name: outcome.error, message: '' } };
  };
  surrogate.onExtensionCall(async (value, workerGone) => {
    const call = v.safeParse(callSchema, value);
    if (!call.success) return undefined; // the extension is ours: a fault of its own would end here
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
      log.error('a credential was not asked for', { error: toAppError(thrown).message });
      throw thrown;
    } finally {
      asked.delete(output.requestId);
    }
  });
  services.provide(credentialDeskToken, desk);
};

function tabOf(
  tabs: readonly SessionTab[],
  { origin, isSameOrigin }: Pick<CredentialRequest, 'origin' | 'isSameOrigin'>,
): SessionTab | undefined {
  /** Where all frames around it have its origin the page has: in a tab that merely embeds the origin nobody has asked. */
  const shows = (tab: SessionTab): boolean =>
    tab.frames().some((frame) => frame.origin === origin && (!isSameOrigin || frame.id === MAIN_FRAME));
  return tabs
    .filter((tab) => tab.gesture.isActive() && shows(tab))
    .sort((a, b) => b.gesture.actedAt - a.gesture.actedAt)[0];
}
