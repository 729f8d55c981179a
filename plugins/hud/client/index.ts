import { rendererToken } from '../../../core/index.ts';
import type { ActivateClient } from '../../../core/index.ts';
import { onDebugKeys } from './debug-keys.ts';

/** A view that a debug key switches on and off. */
export interface Switchable {
  toggle(): void;
}

/** Listens for the debug keys. The code behind a key is loaded when it is first pressed. */
export const activate: ActivateClient = (scope) => {
  const renderer = scope.services.get(rendererToken);
  const parts: Readonly<Record<string, () => Promise<Switchable>>> = {
    h: () => import('./hud.ts').then(async ({ Hud }) => new Hud(scope, await renderer.diagnostics())),
    y: () => import('./page-overlay.ts').then(({ PageOverlay }) => new PageOverlay(scope, renderer)),
    x: () =>
      import('./comparator.ts').then(async ({ Comparator }) => new Comparator(scope, await renderer.diagnostics())),
  };
  const loaded = new Map<string, Promise<Switchable>>();

  const press = async (key: string): Promise<void> => {
    const load = parts[key];
    if (!load) return;
    const part = loaded.get(key) ?? load();
    loaded.set(key, part);
    try {
      const switchable = await part;
      if (!scope.signal.aborted) switchable.toggle();
    } catch (thrown) {
      loaded.delete(key);
      scope.log.warn('the code of a debug key was not loaded', { key, reason: String(thrown) });
    }
  };
  scope.onDispose(onDebugKeys(renderer, Object.keys(parts), (key) => void press(key)));
};
