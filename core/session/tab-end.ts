import type { ClientHooks } from '../contracts/client-hooks.ts';
import type { Renderer } from '../contracts/renderer.ts';
import { AppError } from '../protocol/errors.ts';
import type { PageState } from './page/page-state.ts';
import { showChannelLost } from './recovery/lost-tab.ts';
import type { FramedTab } from './recovery/failure.ts';

/** Parts of a running tab that its end stops or reads. */
interface TabEndOptions extends FramedTab {
  readonly window: Window & typeof globalThis;
  readonly hooks: ClientHooks;
  readonly page: Pick<PageState, 'isShown' | 'notify'>;
  readonly renderer: () => Renderer | undefined;
  /** Disposes all plugins, those that are still being loaded too. */
  readonly withdrawAll: () => void;
  readonly input: { readonly stop: () => void };
  readonly channel: { close(): void };
  readonly dispatcher: { close(reason: AppError): void };
  /** Whether a tab that has lost its channel may pair anew. */
  readonly mayReturn: boolean;
}

/** The ways in which a running tab ends. */
interface TabEnd {
  /** Whether the client has left: it takes no more input and no more messages. */
  readonly isLeft: () => boolean;
  /** Leaves, and shows why. */
  readonly shutDown: (reason: string) => void;
  /** Leaves, as the isolated browser has stopped and is not replaced; shows that, and not the end of the session that follows. */
  readonly surrogateLost: (reason: string) => void;
  /** Ends the tab after the death of its channel (S-076); does nothing where the client itself has closed it. */
  readonly channelDead: (reason: string) => void;
  /** Leaves where the site capabilities forbid that another site shows the shell in a frame. */
  readonly checkFraming: (capabilities: Readonly<Record<string, unknown>>) => Promise<void>;
}

/** Makes the ends of a running tab. What is shown then is loaded late, but for a dead channel: there may be no network by then. */
export function tabEnd(options: TabEndOptions): TabEnd {
  const { window, report, hooks, page, renderer, input, channel, dispatcher } = options;
  let isLeft = false;
  const leave = (): void => {
    isLeft = true;
    input.stop();
    channel.close();
    // Back and forward change the address, and nothing that follows the address is left.
    window.onpopstate = () => options.reload('ended');
  };
  return {
    isLeft: () => isLeft,
    shutDown: (reason) => {
      if (isLeft) return;
      leave();
      void import('./recovery/failure.ts').then(({ showEnded }) => showEnded(options, reason));
    },
    surrogateLost: (reason) => {
      if (isLeft) return;
      leave();
      dispatcher.close(new AppError('surrogate-lost', reason));
      void import('./recovery/failure.ts').then(({ showSurrogateLost }) => showSurrogateLost(options, reason));
    },
    channelDead: (reason) => {
      if (isLeft) return;
      leave();
      report('tc-channel-dead', { reason }, { level: 'warning', force: true });
      dispatcher.close(new AppError('channel-dead', reason));
      showChannelLost(options, reason, page.isShown && options.mayReturn, renderer());
      void page.notify(hooks.detached, { reason });
    },
    checkFraming: async (capabilities) => {
      const restriction = capabilities['framing_restriction'];
      if (!restriction || window.top === window) return;
      const { checkFraming } = await import('./recovery/failure.ts');
      checkFraming(options, restriction, () => {
        leave();
        options.withdrawAll(); // with what shows the page, though it comes later
      });
    },
  };
}
