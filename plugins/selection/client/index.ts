import { rendererToken } from '../../../core/index.ts';
import type { ActivateClient } from '../../../core/index.ts';

/** A button may be held while what reports is loaded: a report then would make a selection on which the page's own press begins a drag. */
const PRESSES = ['pointerdown', 'pointerup', 'pointercancel'] as const;

/** Loads what reports selections once there is one in the view. */
export const activate: ActivateClient = (scope) => {
  const renderer = scope.services.get(rendererToken);
  let isWanted = false;
  let press: Event | undefined;
  const load = async (): Promise<void> => {
    if (isWanted) return;
    isWanted = true;
    const [{ reportSelections }, editing] = await Promise.all([import('./report.ts'), renderer.editing()]);
    if (!scope.signal.aborted) reportSelections(scope, renderer, editing, press);
  };
  const note = (event: Event): void => {
    press = event;
  };
  const undo = renderer.documents(({ document }) => {
    const ending = new AbortController();
    const options = { capture: true, passive: true, signal: ending.signal };
    for (const type of PRESSES) document.addEventListener(type, note, options);
    document.addEventListener('selectionchange', load, options);
    return () => ending.abort();
  });
  scope.onDispose(undo);
};
