import type { ClientSettings } from './setting.ts';
import type { Commands, Hooks, Log, Scope, Services } from './scope.ts';
import type { Slots } from './slots.ts';
import type { ActionList } from './tab-actions.ts';

/** Reports client events (`tc-...`) to the host; batched, de-duplicated, capped (S-113, S-159). */
export interface Events {
  report(
    name: string,
    data?: Readonly<Record<string, unknown>>,
    options?: { readonly level?: 'info' | 'warning' | 'error'; readonly force?: boolean },
  ): void;
}

/** Storage of one plugin: keys are prefixed with its id. */
export interface PluginStorage {
  get(key: string): Promise<unknown>;
  set(key: string, value: unknown): Promise<void>;
  delete(key: string): Promise<void>;
}

/** Results of pairing (M-020, R-016). */
export interface PairingFacts {
  readonly cid: string;
  readonly rid: string;
  readonly tab_id: string;
  /** Identifies the tab to the host; secret. */
  readonly safe_rid: string;
  readonly mpa_id: string | undefined;
  readonly cluster_id: string | undefined;
  readonly s_nid: string | undefined;
  readonly origin: string;
  readonly client_caps: Readonly<Record<string, unknown>>;
  /** Redirects that led to the page, and the address that they started from. */
  readonly rc_rlist: readonly string[];
  readonly rc_url: string | undefined;
  /** Whether the tab goes on with the surrogate that it had before it was reloaded. */
  readonly resumed: boolean;
  /** Whether content of the surrogate has been shown. */
  readonly surrogate_view_active: boolean;
  /** False: a tab that has lost its session does not reload automatically. */
  readonly reload_allowed: boolean;
  /** Session blob, used for sign-in (S-037). */
  readonly sb: string | undefined;
  readonly inspect_host: string | undefined;
  readonly integrity_hosts: readonly string[];
  readonly use_integrity_token: boolean;
}

/** Information for a client half about its session. `M`: the manifest of the plugin. */
export interface SessionFacts<M = object> {
  readonly capabilities: Readonly<Record<string, unknown>>;
  /** Policy values for the current page (M-004), with the settings that the manifest exposes to the client. */
  siteCapabilities(): Readonly<Record<string, unknown>> & ClientSettings<M>;
  /** Address of the page as the surrogate last reported it. */
  pageUrl(): string;
  /** Origin and path prefix under which isolated pages live: `/` or `/mpa/{id}/`. */
  readonly prefix: string;
  readonly cid: string;
  readonly tabId: string;
  readonly pairing: PairingFacts;
  /**
   * Opens a path of the host in a new tab, or in the window with this name. `token`: that of a window of the page, which the tab presents
   * where it has this page as its referrer (S-085). `features` are those of `window.open`: unless given, the tab has no access to this
   * window, and null is returned, as where the browser refuses a tab.
   */
  openTab(path: string, token?: string, features?: string, name?: string): Window | null;
  /** Pairs again. State in the shell's document is lost. */
  reload(why: string): void;
  /** Has plugins offer what the person can do with the tab; those that load on first use as well, where they are there within a second. Resolves once all have been asked. */
  gatherActions(list: ActionList): Promise<void>;
  /** Whether the channel has a connection to the host now. Messages wait for one, as long as there is hope. */
  isConnected(): boolean;
  /** Number of bytes received over the channel so far. */
  bytesReceived(): number;
}

/** API of a client half. */
export interface ClientScope<M = object> extends Scope {
  readonly commands: Commands;
  readonly hooks: Hooks;
  readonly services: Services;
  readonly log: Log;
  readonly slots: Slots;
  readonly storage: PluginStorage;
  readonly events: Events;
  readonly session: SessionFacts<M>;
  /** Notifies messages that wait for the mirror that it has reached this batch of a frame (see `After`). */
  reached(frame: number, epoch: number, seq: number): void;
}

/** A client half exports `activate`. */
export type ActivateClient<M = object> = (scope: ClientScope<M>) => void | Promise<void>;
