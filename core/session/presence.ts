import type { Commands } from '../contracts/scope.ts';
import { acquireFocus, hideTab, renderParams, showTab } from '../protocol/core-messages.ts';
import { watchRenderParams } from './render-params.ts';

/** Tells the host of the view's size and preferences, its visibility and its focus (S-042, S-067). Answers with the undo. */
export function tellPresence(window: Window & typeof globalThis, commands: Pick<Commands, 'send'>): () => void {
  const abort = new AbortController();
  const { document } = window;
  const tell = (): void => {
    commands.send(document.hidden ? hideTab : showTab, {});
  };
  document.addEventListener('visibilitychange', tell, { signal: abort.signal });
  window.addEventListener(
    'focus',
    () => {
      commands.send(acquireFocus, {});
    },
    { signal: abort.signal },
  );
  if (document.hidden) tell();
  const unwatch = watchRenderParams(window, (params) => {
    commands.send(renderParams, params);
  });
  return () => {
    unwatch();
    abort.abort();
  };
}
