import { GESTURE_MS, gestureToken, inputOrderToken, systemFontsToken } from '../../contracts/tab-services.ts';
import type { Gesture, InputOrder } from '../../contracts/tab-services.ts';
import { ServiceRegistry } from '../../../core/plugins/services.ts';
import type { Emulation } from './emulation.ts';
import type { TabOptions } from './tab-options.ts';

/** The services of a tab: those of its session, and the core's. */
export function tabServices(
  { services: session, systemFonts }: Pick<TabOptions, 'services' | 'systemFonts'>,
  input: InputOrder,
  emulation: Emulation,
): { readonly services: ServiceRegistry; readonly gesture: Gesture } {
  const gesture: Gesture = {
    isActive: () => emulation.visible && performance.now() - input.actedAt < GESTURE_MS,
    get actedAt() {
      return input.actedAt;
    },
  };
  const services = new ServiceRegistry(session);
  services.provide(gestureToken, gesture);
  services.provide(inputOrderToken, input);
  services.provide(systemFontsToken, systemFonts);
  return { services, gesture };
}
