import { ServiceRegistry } from '../../../core/plugins/services.ts';
import { workToken } from '../../contracts/work.ts';
import type { Work } from '../../contracts/work.ts';
import { openedWindowsToken, systemFontsToken } from '../../contracts/tab-services.ts';
import type { ClosesWindows } from '../../contracts/tab-services.ts';
import type { TabOptions } from './tab-options.ts';

/** The services of a tab: those of its session, and the core's. */
export function tabServices(
  { services: session, systemFonts }: Pick<TabOptions, 'services' | 'systemFonts'>,
  work: Work,
  windows: ClosesWindows,
): ServiceRegistry {
  const services = new ServiceRegistry(session);
  services.provide(systemFontsToken, systemFonts);
  services.provide(workToken, work);
  services.provide(openedWindowsToken, windows);
  return services;
}
