import { token } from './token.ts';
import { notifyHook } from '../hooks/hook.ts';
import type { HookFault, NotifyHook } from '../hooks/hook.ts';
import type { ActionList } from './tab-actions.ts';

/** The page that the tab shows. */
export interface PageShown {
  readonly url: string;
}

/** Traffic limits of the session: `warn` and `exceed` are shown to the person, `block` stops media (S-070). */
interface BandwidthUse {
  readonly action: 'warn' | 'exceed' | 'allow' | 'block';
}

/** Hooks of the client core. Plugins get them through {@link hooksToken}. */
export interface ClientHooks {
  /** The page is visible and usable, for the first time in this session. */
  readonly ready: NotifyHook<PageShown>;
  /** The tab shows another page, or is about to. */
  readonly pageChanged: NotifyHook<PageShown>;
  /** The channel is closed: no more messages arrive from the host. */
  readonly detached: NotifyHook<{ readonly reason: string }>;
  /** The host reports the state of the session's traffic limit. `allow` is reported only after another state. */
  readonly bandwidth: NotifyHook<BandwidthUse>;
  /** Somebody is about to show what the person can do with the tab, such as its menu: offer what the plugin can. */
  readonly tabActions: NotifyHook<ActionList>;
}

export const hooksToken = token<ClientHooks>('vitrine.hooks');

/** The hooks of one session. */
export function clientHooks(onFault: HookFault): ClientHooks {
  return {
    ready: notifyHook('ready', onFault),
    pageChanged: notifyHook('pageChanged', onFault),
    detached: notifyHook('detached', onFault),
    bandwidth: notifyHook('bandwidth', onFault),
    tabActions: notifyHook('tabActions', onFault),
  };
}
