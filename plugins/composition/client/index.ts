import { rendererToken } from '../../../core/index.ts';
import type { ActivateClient } from '../../../core/index.ts';
import { over, patched, settled } from '../protocol.ts';
import type { Parts } from './follow.ts';

/** Moments before somebody may compose or edit without keys. */
const BEFORE = ['focusin', 'compositionstart', 'beforeinput'] as const;

/**
 * Loads what follows input methods once something is edited in the view. Until then, and for people without this plugin, `keyboard` types what
 * was composed at its end: this plugin takes the events before it.
 */
export const activate: ActivateClient = (scope) => {
  const renderer = scope.services.get(rendererToken);
  let isWanted = false;
  let parts: Parts | undefined;
  const load = async (): Promise<void> => {
    if (isWanted) return;
    isWanted = true;
    const [{ followInputMethods }, editing] = await Promise.all([import('./follow.ts'), renderer.editing()]);
    if (!scope.signal.aborted) parts = followInputMethods(scope, renderer, editing);
  };
  scope.commands.handle(settled, ({ composition }) => parts?.composer.settled(composition));
  scope.commands.handle(over, ({ composition }) => parts?.composer.over(composition));
  scope.commands.handle(patched, ({ edit }) => parts?.edits?.settled(edit));
  const undo = renderer.documents(({ document }) => {
    const ending = new AbortController();
    for (const type of BEFORE) document.addEventListener(type, load, { capture: true, signal: ending.signal });
    if (document.activeElement && document.activeElement !== document.body) void load();
    return () => ending.abort();
  });
  scope.onDispose(undo);
};
