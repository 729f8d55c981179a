import type { AnyManifest } from '../../core/contracts/manifest.ts';
import type { HostAccess } from '../contracts/host-access.ts';
import { optionsOf } from '../declared/options.ts';
import type { OptionsByPlugin } from '../declared/options.ts';
import type { RecordBuffer } from './record-buffer.ts';
import { remoteService } from './service-client.ts';
import type { CallGateway } from './service-client.ts';

/** Gives a plugin its access to the host, for a scope that ends with the signal. */
export type HostAccessOf = (manifest: AnyManifest, over?: AbortSignal) => HostAccess;

/** Access of plugins to the host from a cell: over its link to the gateway. */
export function remoteAccess(callGateway: CallGateway, options: OptionsByPlugin, records: RecordBuffer): HostAccessOf {
  return (manifest, over) => ({
    service: remoteService(manifest, callGateway, over),
    options: optionsOf(options, manifest.id),
    records: records.of(manifest.id),
  });
}
