import type { Commands } from '../contracts/scope.ts';
import {
  acquireFocus,
  clientDetach,
  hideTab,
  renderParams,
  resumeClientUpdate,
  showTab,
} from '../protocol/core-messages.ts';
import type { RenderParams } from '../protocol/pairing.ts';
import { watchRenderParams } from './watch-params.ts';

/**
 * Tells the host of the view's size and preferences, its visibility and its focus (S-042, S-067), and when the page goes or is frozen
 * by the browser, and comes back (M-085). `told` is what the host knows of the view. Answers with the undo.
 */
export function tellPresence(
  window: Window & typeof globalThis,
  told: RenderParams,
  commands: Pick<Commands, 'send'>,
): () => void {
  const abort = new AbortController();
  const { signal } = abort;
  const { document } = window;
  const tell = (): void => {
    commands.send(document.hidden ? hideTab : showTab, {});
  };
  document.addEventListener('visibilitychange', tell, { signal });
  window.addEventListener('focus', () => commands.send(acquireFocus, {}), { signal });
  window.addEventListener('pagehide', () => commands.send(clientDetach, {}), { signal });
  document.addEventListener('freeze', () => commands.send(clientDetach, {}), { signal });
  document.addEventListener('resume', () => commands.send(resumeClientUpdate, {}), { signal });
  tell(); // what the host knows may be of the document before this one, which was hidden as it went
  const unwatch = watchRenderParams(window, told, (params) => {
    commands.send(renderParams, params);
  });
  return () => {
    unwatch();
    abort.abort();
  };
}
