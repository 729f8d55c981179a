/** Service halves of plugins: one process each, shared by all people of the host. */
import { AppError, toAppError } from '../../core/protocol/errors.ts';
import { validate } from '../../core/protocol/message.ts';
import { onAbort } from '../../core/protocol/on-abort.ts';
import type { AnyManifest } from '../../core/contracts/manifest.ts';
import type { ServiceCaller } from '../contracts/service-scope.ts';
import type { LinkAnswer, LinkBody, LinkRequest } from '../link/api.ts';
import { choosePlugins } from '../plugins/choice.ts';
import { serviceName, timedOut } from '../plugins/service-client.ts';
import { CALL_SERVICE, serviceRequestSchema, TO_SERVICE } from '../plugins/service-protocol.ts';
import type { ServiceRequested } from '../plugins/service-protocol.ts';
import type { Capabilities } from '../policy/capabilities.ts';
import type { StartCell, StartedCell } from './cell-process.ts';
import { followedBody } from './followed-body.ts';
import type { KeptBodies } from './kept-bodies.ts';
import type { ReportListener } from './reports.ts';
import { ServiceProcess } from './service-process.ts';

/** Calls that one person may have under way, bodies of answers included. */
const MAX_CALLS_PER_PERSON = 32;

/** The services of this host. Whoever made them closes them. */
export interface Services {
  /** Calls a service for a session. @throws AppError as `ServiceClient.call` */
  call(
    caller: ServiceCaller,
    asked: ServiceRequested,
    request: Pick<LinkRequest, 'body' | 'signal'>,
  ): Promise<LinkAnswer>;
  /** Tells the services that a session has called that it is over. */
  sessionOver(caller: ServiceCaller): void;
  /** Names of the services of those plugins that capabilities switch on. */
  namesFor(capabilities: Capabilities): ReadonlySet<string>;
  /** Running processes. */
  readonly running: number;
  /** Ends all. Idempotent. */
  close(): Promise<void>;
}

interface ServicesOptions extends ReportListener {
  /** Starts the process of each service half, by the name of the service. */
  readonly starters: ReadonlyMap<string, StartCell>;
  /** All plugins of the host: those that require each other are switched on together. */
  readonly plugins: readonly { readonly manifest: AnyManifest }[];
  /** Pause before a service half that has ended is started again. */
  readonly firstPauseMs?: number;
}

/** Makes the services; each is started when it is first called. */
export function createServices({ starters, plugins, ...options }: ServicesOptions): Services {
  const processes = new Map(
    [...starters].map(([name, start]) => [name, new ServiceProcess({ name, start, ...options })]),
  );
  /** Services by the sessions that have called them. */
  const called = new Map<string, Set<ServiceProcess>>();
  return {
    async call({ person, session }, { service, method, params, deadlineMs }, { body, signal }) {
      const served = processes.get(service);
      if (!served) throw new AppError('no-service-half', `${service} has no service half`);
      if (!signal.aborted) called.set(session, (called.get(session) ?? new Set()).add(served));
      const until = performance.now() + deadlineMs;
      let started: StartedCell | undefined;
      try {
        started = await withinTime(served.ready(), signal, deadlineMs);
        const answer = await started.peer.call(
          TO_SERVICE.call,
          { method, person, session, params },
          { deadlineMs: Math.max(1, until - performance.now()), signal, ...(body && { body }) },
        );
        return { value: answer.value, ...(answer.body && { body: answer.body }) };
      } catch (thrown) {
        const fault = timedOut(thrown, service, method, deadlineMs);
        throw started?.peer.closed.aborted && fault.code.startsWith('link-') ? gone(service, fault) : fault;
      }
    },
    sessionOver({ person, session }) {
      for (const served of called.get(session) ?? []) served.notify(TO_SERVICE.sessionOver, { person, session });
      called.delete(session);
    },
    namesFor: (capabilities) =>
      new Set(choosePlugins(plugins, capabilities).map(({ plugin }) => serviceName(plugin.manifest))),
    get running() {
      return [...processes.values()].filter(({ isRunning }) => isRunning).length;
    },
    close: async () => {
      await Promise.all([...processes.values()].map((each) => each.close()));
    },
  };
}

/** Answers one cell's calls of the services that its person has, as many at a time as one person may have. */
export function servicesFor(
  services: Pick<Services, 'call'>,
  caller: () => ServiceCaller,
  isGranted: (service: string) => Promise<boolean>,
  kept: KeptBodies,
): (request: LinkRequest) => Promise<LinkAnswer> {
  let calls = 0;
  return async ({ params, body, signal }) => {
    const asked = validate(serviceRequestSchema, params, CALL_SERVICE);
    if (calls >= MAX_CALLS_PER_PERSON)
      throw new AppError('service-busy', 'too many calls of services are under way', { retryable: true });
    calls += 1;
    let isOver = false;
    const over = (): void => {
      if (!isOver) calls -= 1;
      isOver = true;
    };
    try {
      if (!(await isGranted(asked.service)))
        throw new AppError('policy-refused', `${asked.service}: the policy does not give this person its plugin`);
      const answer = await services.call(caller(), asked, { signal, ...(body && { body }) });
      if (!answer.body) {
        over();
        return asked.keepsBody ? { value: { value: answer.value } } : answer;
      }
      const found = answer.body as LinkBody; // of another link
      if (!asked.keepsBody) {
        onAbort(signal, over);
        return { ...answer, body: followedBody(found, over, brokenOff(asked.service)) };
      }
      const ended = (): void => {
        over();
        kept.forget(name);
      };
      const name = kept.keep(found, followedBody(found, ended, brokenOff(asked.service)));
      return { value: { value: answer.value, kept: name } };
    } catch (thrown) {
      over();
      throw thrown;
    }
  };
}

/** Resolves or rejects as `ready` does, unless the call is over before. @throws AppError `link-timeout`, or the signal's reason. */
async function withinTime<T>(ready: Promise<T>, signal: AbortSignal, deadlineMs: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const aborted = (): void => reject(toAppError(signal.reason));
  const timer = setTimeout(() => reject(new AppError('link-timeout', 'the service is not started yet')), deadlineMs);
  const unlisten = onAbort(signal, aborted);
  try {
    return await Promise.race([ready, promise]);
  } finally {
    clearTimeout(timer);
    unlisten();
  }
}

/** The error of a call whose body breaks off. */
function brokenOff(service: string): (thrown: unknown) => AppError {
  return (thrown) => {
    const fault = toAppError(thrown);
    return /^link-(closed|broken)$/.test(fault.code) ? gone(service, fault) : fault;
  };
}

function gone(service: string, cause: AppError): AppError {
  return new AppError('service-gone', `${service}: its service half has ended meanwhile`, { retryable: true, cause });
}
