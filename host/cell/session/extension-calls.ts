import * as v from 'valibot';
import { toAppError } from '../../../core/protocol/errors.ts';
import { onAbort } from '../../../core/protocol/on-abort.ts';
import type { ExtensionHandler } from '../../contracts/session-scope.ts';
import type { CdpSession } from '../../surrogate/cdp-session.ts';
import { quietly } from '../page/target-defaults.ts';

/** The extension's service worker (core/extension-entry.ts). */
const WORKER = /^chrome-extension:\/\/[a-p]{32}\/worker\.js$/;
const BINDING = 'vitrineExtension';
/** Maximum length of a call, in UTF-16 units, and maximum number of pending calls of one worker. */
const MAX_CALL = 1_000_000;
const MAX_PENDING = 1000;
/**
 * Time without calls after which a worker is ended, in ms: it is a process of its own, and starts again with the next
 * event.
 */
const IDLE_MS = 5000;
/** Minimum time between two questions whether a worker is idle, in ms. */
const ASK_EVERY_MS = 500;

const callSchema = v.object({
  id: v.pipe(v.number(), v.safeInteger()),
  plugin: v.pipe(v.string(), v.maxLength(50)),
  value: v.optional(v.unknown()),
});

/** Whether a worker is the extension's own. */
export function isExtensionWorker({ targetInfo }: CdpSession): boolean {
  return WORKER.test(targetInfo?.url ?? '');
}

/**
 * Lets session halves answer the calls of the extension's worker, and ends it when it is idle. The worker itself says
 * whether it is: a request of a page that ends with the worker is never answered, and on a busy machine its calls, and
 * the answers to them, are long on their way. What a person has pressed may lead to a call that nobody knows of yet.
 *
 * @param actedAt time of the last press of a key or a button in any page, in `performance.now()` milliseconds
 */
export function answerExtension(
  worker: CdpSession,
  handlerOf: (plugin: string) => ExtensionHandler | undefined,
  actedAt: () => number,
): void {
  const targetId = worker.targetInfo?.targetId ?? '';
  let waiting = 0;
  let idle: NodeJS.Timeout | undefined;
  const restAfter = (ms: number): void => {
    clearTimeout(idle);
    if (waiting === 0 && !worker.closed.aborted) idle = setTimeout(() => void rest(), ms).unref();
  };
  const rest = async (): Promise<void> => {
    const saidMs = await idleTimeOf(worker);
    const idleMs = Math.min(saidMs, performance.now() - actedAt());
    if (idleMs < IDLE_MS) restAfter(Math.max(IDLE_MS - idleMs, ASK_EVERY_MS));
    else if (waiting === 0 && worker.parent) quietly(worker.parent.send('Target.closeTarget', { targetId }));
  };
  const settle = (id: number, ok: boolean, value: unknown): void => {
    const expression = `vitrineSettle(${id}, ${ok}, ${JSON.stringify(value ?? null)})`;
    if (!worker.closed.aborted) quietly(worker.send('Runtime.evaluate', { expression }));
  };
  const answer = async (id: number, plugin: string, value: unknown): Promise<void> => {
    clearTimeout(idle);
    waiting += 1;
    try {
      const handler = waiting <= MAX_PENDING ? handlerOf(plugin) : undefined;
      if (handler) settle(id, true, await handler(value, worker.closed));
      else settle(id, false, 'no handler');
    } catch (thrown) {
      settle(id, false, toAppError(thrown).code);
    } finally {
      waiting -= 1;
      restAfter(IDLE_MS);
    }
  };
  worker.on('Runtime.bindingCalled', ({ name, payload }) => {
    if (name !== BINDING) return;
    const call = v.safeParse(v.pipe(v.string(), v.maxLength(MAX_CALL), v.parseJson(), callSchema), payload);
    if (call.success) void answer(call.output.id, call.output.plugin, call.output.value); // an invalid call gets no answer
  });
  onAbort(worker.closed, () => clearTimeout(idle));
  quietly(worker.send('Runtime.addBinding', { name: BINDING }));
  quietly(worker.send('Runtime.enable'));
  restAfter(IDLE_MS);
}

/** The time for which a worker has been idle, in ms; 0 where it does not say so. Never rejects. */
async function idleTimeOf(worker: CdpSession): Promise<number> {
  const asked = { expression: 'vitrineIdleMs()', returnByValue: true };
  const answer = await worker.send('Runtime.evaluate', asked).catch(() => undefined);
  const value: unknown = answer?.result.value;
  return typeof value === 'number' ? value : 0;
}
