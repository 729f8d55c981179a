import { ServiceRegistry } from '../../../core/plugins/services.ts';
import { systemFontsToken } from '../../contracts/tab-services.ts';
import type { TabOptions } from './tab-options.ts';

/** The services of a tab: those of its session, and the core's. */
export function tabServices({
  services: session,
  systemFonts,
}: Pick<TabOptions, 'services' | 'systemFonts'>): ServiceRegistry {
  const services = new ServiceRegistry(session);
  services.provide(systemFontsToken, systemFonts);
  return services;
}
