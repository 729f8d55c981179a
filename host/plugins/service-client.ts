import type { AnyManifest } from '../../core/contracts/manifest.ts';
import { AppError, toAppError } from '../../core/protocol/errors.ts';
import { validate } from '../../core/protocol/message.ts';
import { MAX_SERVICE_DEADLINE_MS } from '../contracts/service-scope.ts';
import type { ServiceClient, ServiceStream } from '../contracts/service-scope.ts';
import type { CallOptions, CallResult } from '../link/api.ts';
import { KeptBody } from './kept-body.ts';
import { CALL_SERVICE, keptAnswerSchema } from './service-protocol.ts';
import type { ServiceRequested } from './service-protocol.ts';

/** The gateway has its own deadline, which says more; this one is for a gateway that does not answer at all. */
const GRACE_MS = 2000;

/** Calls the gateway: the link of a cell. */
export type CallGateway = (method: string, params: unknown, options: CallOptions) => Promise<CallResult>;

/** Name of a plugin's service half: versions for variants of their own have one each. */
export function serviceName({ id, variants }: Pick<AnyManifest, 'id' | 'variants'>): string {
  return variants ? `${id}:${variants.join(',')}` : id;
}

/** The service half of a plugin, through the gateway. Calls are aborted with `over`. */
export function remoteService(
  manifest: Pick<AnyManifest, 'id' | 'variants'>,
  callGateway: CallGateway,
  over?: AbortSignal,
): ServiceClient {
  const service = serviceName(manifest);
  return {
    async call(method, params, { body, signal, isForRoute, ...options } = {}) {
      const deadlineMs = Math.min(Math.max(options.deadlineMs ?? method.deadlineMs, 1), MAX_SERVICE_DEADLINE_MS);
      const keeps = isForRoute && ({ keepsBody: true } as const);
      const asked: ServiceRequested = { service, method: method.name, params, deadlineMs, ...keeps };
      const answered = await callGateway(CALL_SERVICE, asked, {
        deadlineMs: deadlineMs + GRACE_MS,
        ...(body && { body }),
        ...((signal ?? over) && { signal: AbortSignal.any([signal, over].filter((each) => each !== undefined)) }),
      }).catch((thrown: unknown) => {
        throw timedOut(thrown, service, method.name, deadlineMs);
      });
      const answer = keeps ? keptAnswer(answered.value, callGateway) : answered;
      try {
        const value = validate(method.result, answer.value ?? undefined, `${service}: answer of ${method.name}`);
        return { value, ...(answer.body && { body: answer.body }) };
      } catch (thrown) {
        answer.body?.abort(thrown);
        throw thrown;
      }
    },
  };
}

/** An answer whose body the gateway keeps. @throws AppError `bad-message` */
function keptAnswer(
  given: unknown,
  callGateway: CallGateway,
): { readonly value: unknown; readonly body?: ServiceStream } {
  const { value, kept } = validate(keptAnswerSchema, given, CALL_SERVICE);
  return { value, ...(kept !== undefined && { body: new KeptBody(kept, callGateway) }) };
}

/** The fault of a call; a deadline of the link is reported as one of the service. */
export function timedOut(thrown: unknown, service: string, method: string, deadlineMs: number): AppError {
  const fault = toAppError(thrown);
  if (fault.code !== 'link-timeout') return fault;
  return new AppError('service-timeout', `${service}: its service did not answer ${method} within ${deadlineMs} ms`, {
    cause: thrown,
  });
}
