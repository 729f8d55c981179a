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

/** Whom presence is told to, and by what. */
interface PresenceOptions {
  readonly window: Window & typeof globalThis;
  /** What the host knows of the view. */
  readonly told: RenderParams;
  readonly commands: Pick<Commands, 'send'>;
  readonly channel: Pick<Channel, 'status'>;
  readonly report: Report;
}

/**
 * Tells the host of the view's size and preferences, its visibility and its focus (S-042, S-067), and when the page goes or is frozen
 * by the browser, and comes back (M-085). A page that goes while the host cannot be told so reports that. Answers with the undo.
 */
export function tellPresence({ window, told, commands, channel, report }: PresenceOptions): () => void {
  const abort = new AbortController();
  const { signal } = abort;
  const { document } = window;
  const send = <P>(message: Message<P, undefined>, params: P): void => {
    if (channel.status !== 'dead') commands.send(message, params);
  };
  const tell = (): void => send(document.hidden ? hideTab : showTab, {});
  const detach = (): void => {
    if (channel.status === 'pending') report('tc-detach-from-channel-failure', {}, { level: 'warning' });
    send(clientDetach, {});
  };
  document.addEventListener('visibilitychange', tell, { signal });
  window.addEventListener('focus', () => send(acquireFocus, {}), { signal });
  window.addEventListener('pagehide', detach, { signal });
  document.addEventListener('freeze', detach, { signal });
  document.addEventListener('resume', () => send(resumeClientUpdate, {}), { signal });
  tell(); // what the host knows may be of the document before this one, which was hidden as it went
  const unwatch = watchRenderParams(window, told, (params) => send(renderParams, params));
  return () => {
    unwatch();
    abort.abort();
  };
}
