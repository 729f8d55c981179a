/** Moments of a tab that host halves can tap: `scope.hooks.tap(scope.tab.hooks.navigated, ({ frame }) => ...)`. */
import { notifyHook } from '../core/hooks/hook.ts';
import type { HookFault, NotifyHook } from '../core/hooks/hook.ts';
import type { Settings } from './policy/settings.ts';

/** A frame shows another document, or the same one under another address. */
export interface Navigated {
  readonly frame: number;
  readonly url: string;
  /** True when the document stayed: pushState, replaceState, a fragment. */
  readonly sameDocument: boolean;
}

/** The main frame could not be shown what it was asked for. */
export interface NavigationFailed {
  readonly frame: number;
  readonly url: string;
  /** Chromium's word for it: `net::ERR_NAME_NOT_RESOLVED`; or ours: `vitrine:egress` (see `reason`), `vitrine:scheme-refused`, `vitrine:crashed`. */
  readonly errorText: string;
  /** Why the egress refused it or failed, when it did; the message is for the person. */
  readonly reason?: { readonly code: string; readonly message: string };
}

/** A client has taken up the channel. */
export interface ClientAttached {
  /**
   * True when this client has none of what was sent before: a reloaded shell, or messages lost for good. All state that
   * the client half needs must be sent again.
   */
  readonly fresh: boolean;
}

/** Whether the client takes less than is sent: while true, hold back what can be sent later in fewer bytes. */
export interface Lagging {
  readonly lagging: boolean;
}

/** A frame's process does not answer to what the person does, or does again. */
export interface Unresponsive {
  /** The frame at the root of that process: 1 is the page. */
  readonly frame: number;
  /** True is repeated for as long as it lasts. */
  readonly unresponsive: boolean;
}

/** The page is about to go on in another browser, or in another page of it: nothing of the one before is there any more. */
export interface Replaced {
  /** What has become of the one before. */
  readonly reason: string;
}

/** The policy, or what people have left of it, has changed: what holds for the person on the page may be something else now. */
export interface PolicyChanged {
  /** What holds now. */
  readonly policy: Settings;
}

/** The hooks of one tab. */
export interface TabHooks {
  readonly navigated: NotifyHook<Navigated>;
  readonly navigationFailed: NotifyHook<NavigationFailed>;
  readonly clientAttached: NotifyHook<ClientAttached>;
  readonly lagging: NotifyHook<Lagging>;
  readonly unresponsive: NotifyHook<Unresponsive>;
  readonly replaced: NotifyHook<Replaced>;
  readonly policyChanged: NotifyHook<PolicyChanged>;
}

/** Declares the hooks of a tab. Faults of taps go to `onFault`. */
export function createTabHooks(onFault: HookFault): TabHooks {
  return {
    navigated: notifyHook('tab.navigated', onFault),
    navigationFailed: notifyHook('tab.navigation-failed', onFault),
    clientAttached: notifyHook('tab.client-attached', onFault),
    lagging: notifyHook('tab.lagging', onFault),
    unresponsive: notifyHook('tab.unresponsive', onFault),
    replaced: notifyHook('tab.replaced', onFault),
    policyChanged: notifyHook('tab.policy-changed', onFault),
  };
}
