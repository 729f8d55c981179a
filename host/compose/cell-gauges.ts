import type { NetworkLimits } from '../base/network-limits.ts';
import type { LimitValues } from '../cells/limits/limit-values.ts';
import type { CellProcesses } from '../cells/cell-processes.ts';
import type { Worker } from '../cells/cells.ts';
import type { Metrics } from '../gateway/metrics.ts';

/** Adds the counts of cells, people, tabs and surrogates to the metrics. */
export function countCells(metrics: Metrics, worker: Worker): void {
  metrics.gauge('vitrine_cells', 'Running cells', () => worker.counts().cells);
  metrics.gauge('vitrine_sessions', 'People with a surrogate', () => worker.counts().sessions);
  metrics.gauge('vitrine_tabs', 'Paired tabs', () => worker.counts().tabs);
  metrics.gauge('vitrine_tabs_attached', 'Paired tabs whose client is connected', () => worker.counts().attached);
  const tabs = (state: 'hidden' | 'left' | 'frozen' | 'discarded', help: string): void =>
    metrics.gauge(`vitrine_tabs_${state}`, help, () => worker.counts()[state]);
  tabs('hidden', 'Paired tabs whose client is connected and that their person does not look at');
  tabs('left', 'Paired tabs whose client is gone');
  tabs('frozen', 'Tabs whose page is frozen');
  tabs('discarded', 'Tabs whose page was discarded, and comes back when somebody looks at it');
  metrics.gauge('vitrine_cells_left', 'Cells whose person is at none of their tabs', () => worker.counts().abandoned);
  metrics.gauge('vitrine_people_waiting', 'People who wait for a cell', () => worker.counts().waiting);
  metrics.gauge(
    'vitrine_people_asleep',
    'People without a cell who can come back to their tabs',
    () => worker.counts().asleep,
  );
  metrics.gauge(
    'vitrine_unattended_bytes',
    'Memory of cells and surrogates that nobody is at, warm ones included',
    () => worker.unattendedBytes(),
  );
  metrics.gauge('vitrine_surrogates', 'Running surrogates', () => worker.counts().surrogates);
  metrics.gauge(
    'vitrine_surrogates_warm',
    'Cells that wait for a person, with a running surrogate',
    () => worker.counts().warm,
  );
  metrics.gauge('vitrine_surrogate_launches', 'Surrogates launched since the start', () => worker.counts().launches);
  metrics.gauge(
    'vitrine_surrogate_launches_failed',
    'Launches that failed since the start',
    () => worker.counts().failedLaunches,
  );
  metrics.gauge(
    'vitrine_surrogate_crashes',
    'Cells, surrogates and pages that crashed since the start',
    () => worker.counts().crashes,
  );
}

/** Adds the limits of each cell, browser and decoder to the metrics. */
export function showLimits(
  metrics: Metrics,
  values: LimitValues,
  { connections, names }: NetworkLimits,
  { limits: report, network }: Pick<CellProcesses, 'limits' | 'network'>,
): void {
  const show = (name: string, help: string, value: number): void => metrics.gauge(name, help, () => value);
  const { cell, browser, decoder, cpuPercent, profileBytes } = values;
  show('vitrine_limit_cell_memory_bytes', 'Memory of the Node process of a cell', cell.memoryBytes);
  show('vitrine_limit_browser_memory_bytes', 'Memory of a surrogate', browser.memoryBytes);
  show('vitrine_limit_decoder_memory_bytes', 'Memory of a decoder of pictures or fonts', decoder.memoryBytes);
  show(
    'vitrine_limit_decoder_network',
    'Whether decoders are kept from the network: 1, or 0',
    network === 'none' ? 0 : 1,
  );
  const hasTasks = report.processes !== 'none';
  show('vitrine_limit_cell_tasks', 'Processes and threads of a cell; 0: no limit', hasTasks ? cell.tasks : 0);
  show(
    'vitrine_limit_browser_tasks',
    'Processes and threads of a surrogate; 0: no limit',
    hasTasks ? browser.tasks : 0,
  );
  const hasQuota = report.cpu !== 'nice';
  show(
    'vitrine_limit_cpu_percent',
    'Processor time of a person, in hundredths of a processor; 0: a fair share',
    hasQuota ? (cpuPercent ?? 0) : 0,
  );
  show('vitrine_limit_profile_bytes', 'Size of the profile of a surrogate on disk', profileBytes);
  show('vitrine_limit_cell_connections', 'Connections of a surrogate to sites', connections);
  show('vitrine_limit_cell_names', 'Host names that a surrogate may ask for in a minute', names);
}
