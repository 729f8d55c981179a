/** Hooks of a tab that host halves can tap: `scope.hooks.tap(scope.tab.hooks.navigated, ({ frame }) => ...)`. */
import { notifyHook } from '../../core/hooks/hook.ts';
import type { HookFault, NotifyHook } from '../../core/hooks/hook.ts';
import type { Settings } from '../policy/settings.ts';

/** A frame shows another document, or the same one under another address. */
export interface Navigated {
  readonly frame: number;
  readonly url: string;
  /** Whether the document stayed: pushState, replaceState, a fragment. */
  readonly sameDocument: boolean;
}

/** The main frame failed to load the requested address. */
export interface NavigationFailed {
  readonly frame: number;
  readonly url: string;
  /**
   * Chromium's error code: `net::ERR_NAME_NOT_RESOLVED`; or ours: `vitrine:egress` (see `reason`),
   * `vitrine:scheme-refused`, `vitrine:crashed`, `vitrine:no-page`.
   */
  readonly errorText: string;
  /** Reason for which the egress refused or failed, when it did; the message is for the person. */
  readonly reason?: { readonly code: string; readonly message: string };
}

/** A client has attached to the channel. */
export interface ClientAttached {
  /**
   * Whether this client has received nothing of what was sent before: a reloaded shell, or messages that were lost. All
   * state that the client half needs must be sent again.
   */
  readonly fresh: boolean;
}

/** The person's input goes elsewhere, and keys and buttons come up unseen: have them come up in the page. */
export interface InputLost {
  /** `away`: the focus has left the view or the window, or the tab is hidden; `gone`: the client has left, or another has come. */
  readonly reason: 'away' | 'gone';
}

/**
 * Whether the client reads slower than the host sends: while true, delay messages that can be sent later in fewer
 * bytes.
 */
export interface Lagging {
  readonly lagging: boolean;
}

/** The process of a frame stopped responding to input, or responds again. */
export interface Unresponsive {
  /** The frame at the root of that process: 1 is the main frame. */
  readonly frame: number;
  /** True is repeated until it responds again. */
  readonly unresponsive: boolean;
}

/**
 * The page is about to continue in another browser, or in another page of it: all state of the previous page is lost.
 */
export interface Replaced {
  /** Reason for which the previous page was closed. */
  readonly reason: string;
}

/**
 * The policy, or a person's read-only exits, have changed: the settings for the person on the page may be others now.
 */
export interface PolicyChanged {
  /** The settings that apply now. */
  readonly policy: Settings;
}

/**
 * The browser has another address for the page, which is `tab.url()`, and by which policy goes, from now on. It follows `navigated`, which the
 * page's process reports, sooner or later.
 */
interface AddressChanged {
  readonly url: string;
}

/** The page has opened a window, which waits for the person's browser to show it. */
export interface WindowOpened {
  /** With which a pair request of the person claims it: 44 characters, used once. */
  readonly token: string;
  /** The address that it is going to; `about:blank` for one that has none yet. */
  readonly url: string;
  /** Whether the two windows can reach each other: false with `noopener`. */
  readonly hasOpener: boolean;
}

/** A tab of the person's browser shows a window that the page has opened. */
export interface WindowPaired {
  /** The token with which it was claimed. */
  readonly token: string;
  /** The tab's id. */
  readonly tab: string;
}

/** A window that the page has opened is closed: by a script, by the person, or because nobody has claimed it. */
export interface WindowClosed {
  /** Its token, which it may not have yet. */
  readonly token: string;
}

/** The hooks of one tab. */
export interface TabHooks {
  readonly navigated: NotifyHook<Navigated>;
  readonly navigationFailed: NotifyHook<NavigationFailed>;
  readonly clientAttached: NotifyHook<ClientAttached>;
  readonly inputLost: NotifyHook<InputLost>;
  readonly lagging: NotifyHook<Lagging>;
  readonly unresponsive: NotifyHook<Unresponsive>;
  readonly replaced: NotifyHook<Replaced>;
  readonly policyChanged: NotifyHook<PolicyChanged>;
  readonly addressChanged: NotifyHook<AddressChanged>;
  readonly windowOpened: NotifyHook<WindowOpened>;
  readonly windowPaired: NotifyHook<WindowPaired>;
  readonly windowClosed: NotifyHook<WindowClosed>;
}

/** Creates the hooks of a tab. Errors of taps go to `onFault`. */
export function createTabHooks(onFault: HookFault): TabHooks {
  return {
    navigated: notifyHook('tab.navigated', onFault),
    navigationFailed: notifyHook('tab.navigation-failed', onFault),
    clientAttached: notifyHook('tab.client-attached', onFault),
    inputLost: notifyHook('tab.input-lost', onFault),
    lagging: notifyHook('tab.lagging', onFault),
    unresponsive: notifyHook('tab.unresponsive', onFault),
    replaced: notifyHook('tab.replaced', onFault),
    policyChanged: notifyHook('tab.policy-changed', onFault),
    addressChanged: notifyHook('tab.address-changed', onFault),
    windowOpened: notifyHook('tab.window-opened', onFault),
    windowPaired: notifyHook('tab.window-paired', onFault),
    windowClosed: notifyHook('tab.window-closed', onFault),
  };
}
