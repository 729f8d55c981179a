import type { Log } from '../../core/contracts/scope.ts';
import type { CellProcesses } from '../cells/cell-processes.ts';
import { createDecoders } from '../cells/decoders.ts';
import type { Decoders } from '../cells/decoders.ts';
import { decoderStarter } from '../cells/start-cell.ts';
import type { Metrics } from '../gateway/metrics.ts';

/** Parts of the host that its decoders work with. */
interface DecodersOptions {
  readonly processes: CellProcesses;
  readonly metrics: Metrics;
  readonly log: Log;
}

/** Makes the decoders of pictures and fonts; each starts with its first job. Whoever opened them closes them. */
export function openDecoders({ processes, metrics, log }: DecodersOptions): Decoders {
  const { network } = processes;
  if (network === 'none') log.warn('decoders of pictures and fonts cannot be kept from the network here');
  else log.info('decoders of pictures and fonts have no network', { network });
  const onFault = (from: string, code: string): void => metrics.fault(from, code);
  const decoders = createDecoders({ start: decoderStarter({ processes, log }), onFault, log });
  metrics.gauge('vitrine_decoders', 'Running decoders of pictures and fonts', () => decoders.running);
  return decoders;
}
