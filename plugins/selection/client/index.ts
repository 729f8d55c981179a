import { rendererToken } from '../../../core/index.ts';
import type { ActivateClient } from '../../../core/index.ts';

/** Loads what reports selections once there is one in the view. */
export const activate: ActivateClient = (scope) => {
  const renderer = scope.services.get(rendererToken);
  let isWanted = false;
  const load = async (): Promise<void> => {
    if (isWanted) return;
    isWanted = true;
    const [{ reportSelections }, editing] = await Promise.all([import('./report.ts'), renderer.editing()]);
    if (!scope.signal.aborted) reportSelections(scope, renderer, editing);
  };
  const undo = renderer.documents(({ document }) => {
    document.addEventListener('selectionchange', load, { capture: true });
    return () => document.removeEventListener('selectionchange', load, { capture: true });
  });
  scope.onDispose(undo);
};
