/** Access to the host as halves in threads have it: the service half, options, counters and event files. */
import * as v from 'valibot';
import type { HostAccess } from '../../contracts/host-access.ts';
import { text } from './method-table.ts';
import type { ListenerCalls, MethodTable } from './method-table.ts';
import { addServiceMethods, threadService } from './service-methods.ts';
import type { ThreadWire } from './thread-wire.ts';

/** Adds the methods `service.*` and `records.*`: the scope holds the plugin to what its manifest declares. */
export function addAccessMethods(
  table: MethodTable,
  access: Pick<HostAccess, 'service' | 'records'>,
  calls: Pick<ListenerCalls, 'stream'>,
): void {
  const { records } = access;
  addServiceMethods(table, access, calls);
  table.add('records.count', [text, v.number()], (metric, by) => records.count(metric, by));
  table.add('records.append', [text, v.record(v.string(), v.unknown())], (file, event) => records.append(file, event));
}

/** Access in a thread. The host answers each record, so that what is wrong with it is thrown where it was made. */
export function threadAccess(wire: ThreadWire, options: HostAccess['options'], signal: AbortSignal): HostAccess {
  return {
    service: threadService(wire, signal),
    options,
    records: {
      count: (metric, by = 1) => void wire.sync('records.count', metric, by),
      append: (file, event) => void wire.sync('records.append', file, event),
    },
  };
}
