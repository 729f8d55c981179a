import * as v from 'valibot';
import { AppError } from '../../../core/protocol/errors.ts';
import type { CredentialHandler, CredentialOutcome, CredentialRequest } from '../../plugin.ts';
import type { CdpSession } from '../../surrogate/cdp-session.ts';
import { MAIN_FRAME } from '../page/frames.ts';
import type { Tab } from './tab.ts';
import { quietly } from '../page/target-defaults.ts';

/** The extension's service worker (core/credential-worker.ts). */
const WORKER = /^chrome-extension:\/\/[a-p]{32}\/credentials\.js$/;
const BINDING = 'vitrineCredentials';
/** Longest options of a request, in UTF-16 units. */
const MAX_OPTIONS = 200_000;
/** A worker that is asked nothing for so long is ended, in ms: it is a process of its own, and comes back with the next request. */
const IDLE_MS = 5000;
const CANCELLED: CredentialOutcome = { ok: false, error: 'NotAllowedError' };

const requestId = v.pipe(v.number(), v.safeInteger());
const eventSchema = v.variant('kind', [
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

/** A tab's place for whoever answers for its person's authenticators. */
export class CredentialDesk {
  #handler: CredentialHandler | undefined;

  /** Has a handler asked from now on. Answers with its undo. @throws AppError `already-handled`. */
  readonly handle = (handler: CredentialHandler): (() => void) => {
    if (this.#handler) throw new AppError('already-handled', 'credentials have a handler already');
    this.#handler = handler;
    return () => {
      if (this.#handler === handler) this.#handler = undefined;
    };
  };

  async ask(request: CredentialRequest): Promise<CredentialOutcome> {
    return (await this.#handler?.(request)) ?? CANCELLED;
  }
}

/** Whether a worker is the extension's own. */
export function isCredentialWorker({ targetInfo }: CdpSession): boolean {
  return WORKER.test(targetInfo?.url ?? '');
}

/**
 * Answers what pages ask of authenticators. Chromium says which origin asks, and whether it is that of all frames around it, not
 * in which tab: it is taken for the tab that the person has last pressed something in, just now, of those that show the origin. `onFault` is
 * told of handlers that throw; the page is refused then.
 */
export function answerCredentials(
  worker: CdpSession,
  tabs: () => Iterable<Tab>,
  onFault: (thrown: unknown) => void,
): void {
  const asked = new Map<number, AbortController>();
  const targetId = worker.targetInfo?.targetId ?? '';
  const end = (): void => quietly(worker.parent?.send('Target.closeTarget', { targetId }) ?? Promise.resolve());
  let idle = setTimeout(end, IDLE_MS).unref();
  const answer = async (kind: 'create' | 'get', id: number, options: Record<string, unknown>): Promise<void> => {
    const caller = v.safeParse(callerSchema, options['extensions']);
    const { origin, sameOriginWithAncestors } = caller.success
      ? caller.output.remoteDesktopClientOverride
      : { origin: '', sameOriginWithAncestors: false };
    const cancelling = new AbortController();
    asked.set(id, cancelling);
    clearTimeout(idle);
    let outcome = CANCELLED;
    try {
      const request = { kind, origin, isSameOrigin: sameOriginWithAncestors, options, signal: cancelling.signal };
      outcome = (await tabOf(tabs(), request)?.credentials.ask(request)) ?? CANCELLED;
    } finally {
      asked.delete(id);
      const settled = outcome.ok
        ? { requestId: id, responseJson: JSON.stringify(outcome.response) }
        : { requestId: id, error: { name: outcome.error, message: '' } };
      const expression = `vitrineSettle(${JSON.stringify(kind)}, ${JSON.stringify(settled)})`;
      if (!cancelling.signal.aborted) quietly(worker.send('Runtime.evaluate', { expression }));
      if (asked.size === 0 && !worker.closed.aborted) idle = setTimeout(end, IDLE_MS).unref();
    }
  };
  worker.on('Runtime.bindingCalled', ({ name, payload }) => {
    if (name !== BINDING) return;
    const event = v.safeParse(v.pipe(v.string(), v.parseJson(), eventSchema), payload);
    if (!event.success) return; // the extension is ours: a fault of its own would end here
    const { output } = event;
    if (output.kind === 'cancel') asked.get(output.requestId)?.abort();
    else answer(output.kind, output.requestId, output.options).catch(onFault);
  });
  const gone = (): void => {
    clearTimeout(idle);
    for (const each of asked.values()) each.abort();
  };
  worker.closed.addEventListener('abort', gone, { once: true });
  quietly(worker.send('Runtime.addBinding', { name: BINDING }));
  quietly(worker.send('Runtime.enable'));
}

function tabOf(tabs: Iterable<Tab>, { origin, isSameOrigin }: CredentialRequest): Tab | undefined {
  /** Where all frames around it have its origin the page has: in a tab that merely embeds the origin nobody has asked. */
  const shows = ({ frames }: Tab): boolean =>
    isSameOrigin ? frames.get(MAIN_FRAME)?.origin === origin : frames.all().some((frame) => frame.origin === origin);
  return [...tabs]
    .filter((tab) => tab.gesture.isActive() && shows(tab))
    .sort((a, b) => b.gesture.actedAt - a.gesture.actedAt)[0];
}
