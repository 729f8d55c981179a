import type { Log } from '../../core/contracts/scope.ts';
import type { CellProcesses } from '../cells/cell-processes.ts';
import type { CellSettings } from '../cells/protocol.ts';
import { createServices } from '../cells/services.ts';
import type { Services } from '../cells/services.ts';
import { serviceSources, serviceStarter } from '../cells/start-cell.ts';
import type { Metrics } from '../gateway/metrics.ts';
import type { SentRecords } from '../declared/records-sent.ts';
import { buildServiceHalves } from '../plugins/host-halves.ts';
import type { PluginRecords } from '../gateway/plugin-records.ts';
import type { Program } from './program.ts';

/** Parts of the host that its service halves work with. */
interface ServicesOptions extends Pick<CellSettings, 'options' | 'logLevel'> {
  readonly processes: CellProcesses;
  readonly program: Program;
  readonly metrics: Metrics;
  readonly records: PluginRecords;
  readonly log: Log;
}

/** Makes the service halves of a program's plugins; each starts with its first call. Whoever opened them closes them. */
export async function openServices({
  processes,
  program,
  metrics,
  records,
  options,
  logLevel,
  log,
}: ServicesOptions): Promise<Services> {
  const sources = serviceSources(program.plugins, await buildServiceHalves(program.plugins));
  const starters = sources.map(
    (source) => [source.name, serviceStarter({ processes, options, logLevel, log }, source)] as const,
  );
  const onFault = (from: string, code: string): void => metrics.fault(from, code);
  const onRecords = (sent: SentRecords): void => records.take(sent, undefined);
  const services = createServices({ starters: new Map(starters), plugins: program.plugins, onFault, onRecords, log });
  metrics.gauge('vitrine_services', 'Running service halves of plugins', () => services.running);
  return services;
}
