import type { AnyManifest } from '../../../core/contracts/manifest.ts';
import type { HostScope } from '../../contracts/host-scope.ts';
import { addMessageMethods } from './host-message-methods.ts';
import { addInputMethods } from './input-methods.ts';
import { methodTable } from './method-table.ts';
import type { ListenerCalls, ScopeMethod } from './method-table.ts';
import { addAccessMethods } from './access-methods.ts';
import { addCdpMethods, addFrameMethods, addTabMethods } from './tab-methods.ts';

/**
 * The methods of a host scope by name, for a thread to call. The scope itself holds the plugin to its own messages and permissions;
 * values of messages are not looked at here, but on the side that reads them.
 */
export function scopeMethods(
  scope: HostScope,
  manifest: AnyManifest,
  calls: ListenerCalls,
): ReadonlyMap<string, ScopeMethod> {
  const table = methodTable();
  const slots = addInputMethods(table.add, scope.input, calls.ask);
  addMessageMethods(table, { scope, manifest, calls, slots });
  addFrameMethods(table, scope, calls);
  addCdpMethods(table, scope, calls);
  addTabMethods(table, scope, calls);
  addAccessMethods(table, scope, calls);
  return table.methods;
}
