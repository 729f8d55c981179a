import { token } from './token.ts';
import { notifyHook } from '../hooks/hook.ts';
import type { HookFault, NotifyHook } from '../hooks/hook.ts';

/** The page that the tab shows. */
export interface PageShown {
  readonly url: string;
}

/** What the traffic of the session comes to: warn and exceed are told to the person, block stops media (S-070). */
interface BandwidthUse {
  readonly action: 'warn' | 'exceed' | 'allow' | 'block';
}

/** Moments of the client's core. Plugins get them by {@link hooksToken}. */
export interface ClientHooks {
  /** The page is there to be seen and used, for the first time in this session. */
  readonly ready: NotifyHook<PageShown>;
  /** The tab shows another page, or is about to. */
  readonly pageChanged: NotifyHook<PageShown>;
  /** The channel has died: nothing more comes from the host. */
  readonly detached: NotifyHook<{ readonly reason: string }>;
  /** The host says what becomes of the session's traffic; nothing is said of `allow` before there was anything else. */
  readonly bandwidth: NotifyHook<BandwidthUse>;
}

export const hooksToken = token<ClientHooks>('vitrine.hooks');

/** The hooks of one session. */
export function clientHooks(onFault: HookFault): ClientHooks {
  return {
    ready: notifyHook('ready', onFault),
    pageChanged: notifyHook('pageChanged', onFault),
    detached: notifyHook('detached', onFault),
    bandwidth: notifyHook('bandwidth', onFault),
  };
}
