import type { Channel } from '../../channel/channel.ts';
import type { Commands } from '../../contracts/scope.ts';
import type { Report } from '../../events/report.ts';
import {
  acquireFocus,
  clientDetach,
  hideTab,
  renderParams,
  resumeClientUpdate,
  showTab,
} from '../../protocol/core-messages.ts';
import type { Message } from '../../protocol/message.ts';
import type { RenderParams } from '../../protocol/pairing.ts';
import { watchRenderParams } from './watch-params.ts';

/** Dependencies of presence reports. */
interface PresenceOptions {
  readonly window: Window & typeof globalThis;
  /** View parameters that the host knows. */
  readonly sentParams: RenderParams;
  readonly commands: Pick<Commands, 'send'>;
  readonly channel: Pick<Channel, 'status'>;
  readonly report: Report;
}

/**
 * Sends the view's size and preferences, its visibility and its focus to the host (S-042, S-067). Also reports when the page is unloaded or
 * frozen by the browser, and restored (M-085). If the page is unloaded while the host cannot be reached, that is reported. Returns
 * a function that undoes it.
 */
export function reportPresence({ window, sentParams, commands, channel, report }: PresenceOptions): () => void {
  const abort = new AbortController();
  const { signal } = abort;
  const { document } = window;
  const send = <P>(message: Message<P, undefined>, params: P): void => {
    if (channel.status !== 'dead') commands.send(message, params);
  };
  const reportVisibility = (): void => send(document.hidden ? hideTab : showTab, {});
  const detach = (): void => {
    if (channel.status === 'pending') report('tc-detach-from-channel-failure', {}, { level: 'warning' });
    send(clientDetach, {});
  };
  document.addEventListener('visibilitychange', reportVisibility, { signal });
  window.addEventListener('focus', () => send(acquireFocus, {}), { signal });
  window.addEventListener('pagehide', detach, { signal });
  document.addEventListener('freeze', detach, { signal });
  document.addEventListener('resume', () => send(resumeClientUpdate, {}), { signal });
  reportVisibility(); // the host may still have the state of the previous document, which was hidden on unload
  const unwatch = watchRenderParams(window, sentParams, (params) => send(renderParams, params));
  return () => {
    unwatch();
    abort.abort();
  };
}
