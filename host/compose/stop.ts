import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { CellProcesses } from '../cells/cell-processes.ts';
import type { Worker } from '../cells/cells.ts';
import type { Services } from '../cells/services.ts';
import type { EventLog } from '../gateway/event-log.ts';
import type { PluginRecords } from '../gateway/plugin-records.ts';
import type { Metrics } from '../gateway/metrics.ts';
import type { HostPolicy } from './policy.ts';

/** Time for a host to end in order, in ms; it is cut off after that. */
const DRAIN_DEADLINE_MS = 15_000;

/** Parts of a running host that have an end. */
interface RunningHost {
  readonly policy: HostPolicy;
  readonly worker: Worker;
  readonly gateway: FastifyInstance;
  readonly services: Services;
  readonly processes: CellProcesses;
  readonly events: EventLog;
  readonly records: Pick<PluginRecords, 'flush'>;
  readonly metrics: Metrics;
  readonly log: FastifyBaseLogger;
}

/** Has a host end in order: at SIGTERM and SIGINT, after a fault that nobody has caught, and when its launcher ends. */
export function stopInOrder({
  policy,
  worker,
  gateway,
  services,
  processes,
  events,
  records,
  metrics,
  log,
}: RunningHost): void {
  let stopping: Promise<void> | undefined;
  const stop = (signal: string): void => {
    stopping ??= (async () => {
      log.info({ signal }, 'draining');
      const deadline = setTimeout(() => process.exit(1), DRAIN_DEADLINE_MS);
      policy.close();
      await worker.drain('shutting down');
      await gateway.close();
      await services.close();
      await processes.close();
      await Promise.all([events.flush(), records.flush()]);
      clearTimeout(deadline);
      log.info('stopped');
    })().catch((thrown: unknown) => {
      log.error({ err: thrown }, 'the host did not stop cleanly');
      process.exitCode = 1;
    });
  };
  // A plugin's stray promise must not end everybody's session.
  process.on('unhandledRejection', (reason) => {
    metrics.fault('host', 'unhandled-rejection');
    log.error({ err: reason }, 'unhandled promise rejection');
  });
  // After anything else that nobody has caught the host is not to be relied on: tabs are asked to reconnect, and it ends.
  process.on('uncaughtException', (thrown) => {
    log.fatal({ err: thrown }, 'the host has a fault and ends');
    process.exitCode = 1;
    stop('fault');
  });
  void processes.ended.then((exit) => {
    if (stopping) return;
    log.fatal({ ...exit }, 'the launcher of cells has ended, and every cell with it: the host ends');
    process.exitCode = 1;
    stop('launcher ended');
  });
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}
