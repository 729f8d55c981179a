import { systemFontsToken } from '../../contracts/tab-services.ts';
import { Disposal, ServiceTable } from '../../plugins/plugin-scope.ts';
import type { TabOptions } from './tab-options.ts';

/** The services of a tab: those of its session, and the core's. */
export function tabServices({
  services: session,
  systemFonts,
}: Pick<TabOptions, 'services' | 'systemFonts'>): ServiceTable {
  const services = new ServiceTable(session);
  const core = services.of('core', new Disposal()); // they last as long as the table
  core.provide(systemFontsToken, systemFonts);
  return services;
}
