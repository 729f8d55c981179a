import type { Renderer } from '../../contracts/renderer.ts';
import type { Texts } from '../../contracts/texts.ts';
import type { ShellView } from '../../overlay/shell-view.ts';
import { reloadOnInput } from './detached.ts';

/** The shell of a tab without a session. */
export interface LostTab {
  readonly window: Window;
  readonly shell: ShellView;
  readonly messages: Texts;
  readonly reload: (why: string) => void;
}

/**
 * Shows that the channel has been lost. A tab that `mayReturn` keeps its content and reloads on the next input; any other tab shows the
 * reason.
 */
export function showChannelLost(
  { window, shell, messages, reload }: LostTab,
  reason: string,
  mayReturn: boolean,
  renderer: Renderer | undefined,
): void {
  if (mayReturn) {
    shell.state = 'detached'; // a tab that is not visible stays detached
    shell.notice('channel', messages.text('ID_DETACHED'));
    reloadOnInput({
      window,
      renderer,
      reload: () => reload('detached'),
      onAway: () => shell.notice('channel', messages.text('ID_TC_RECONNECT_ERROR')),
    });
  } else {
    shell.fail({
      code: 'channel-dead',
      title: messages.text('ID_ERROR_TITLE'),
      description: messages.text('ID_ERROR_CHANNEL', { reason }),
      retry: () => {
        reload(reason);
      },
    });
  }
}
