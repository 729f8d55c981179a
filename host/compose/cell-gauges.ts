import type { Worker } from '../cells/cells.ts';
import type { Metrics } from '../gateway/metrics.ts';

/** Adds the counts of cells, people, tabs and surrogates to the metrics. */
export function countCells(metrics: Metrics, worker: Worker): void {
  metrics.gauge('vitrine_cells', 'Running cells', () => worker.counts().cells);
  metrics.gauge('vitrine_sessions', 'People with a surrogate', () => worker.counts().sessions);
  metrics.gauge('vitrine_tabs', 'Paired tabs', () => worker.counts().tabs);
  metrics.gauge('vitrine_tabs_attached', 'Paired tabs whose client is connected', () => worker.counts().attached);
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
