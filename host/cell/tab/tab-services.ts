import { GESTURE_MS, gestureToken, inputOrderToken, systemFontsToken } from '../../contracts/tab-services.ts';
import type { Gesture, InputOrder } from '../../contracts/tab-services.ts';
import { Disposal, ServiceTable } from '../../plugins/plugin-scope.ts';
import type { Emulation } from './emulation.ts';
import type { TabOptions } from './tab-options.ts';

/** The services of a tab: those of its session, and the core's. */
export function tabServices(
  { services: session, systemFonts }: Pick<TabOptions, 'services' | 'systemFonts'>,
  input: InputOrder,
  emulation: Emulation,
): { readonly services: ServiceTable; readonly gesture: Gesture } {
  const gesture: Gesture = {
    isActive: () => emulation.visible && performance.now() - input.actedAt < GESTURE_MS,
    get actedAt() {
      return input.actedAt;
    },
  };
  const services = new ServiceTable(session);
  const core = services.of('core', new Disposal()); // they last as long as the table
  core.provide(gestureToken, gesture);
  core.provide(inputOrderToken, input);
  core.provide(systemFontsToken, systemFonts);
  return { services, gesture };
}
