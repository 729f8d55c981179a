/** Contract of session halves: what a plugin gets once per person, before the host halves of their tabs. */
import type { Log, Services } from '../../core/contracts/scope.ts';
import type { CallOptions } from '../../core/protocol/endpoint.ts';
import type { Settings } from '../policy/settings.ts';
import type { Frame } from './frame.ts';
import type { HostAccess } from './host-access.ts';
import type { SurrogateFiles } from './surrogate-files.ts';
import type { Gesture } from './tab-input.ts';

/** A tab of the session. */
export interface SessionTab {
  readonly id: string;
  /** Address of the main frame now: hostile text. */
  url(): string;
  /** The policy's settings for the person on the page shown, or at other addresses, as of a host half's tab. Ask each time: they change with the page. */
  policy(address?: string | readonly string[]): Settings;
  frames(): readonly Frame[];
  /** See `Frames.originOf`: the origin of a frame by its id, as the browser's process knows it. */
  originOf(frame: number): Promise<string>;
  /** Whether the person looks at it. */
  isShown(): boolean;
  readonly gesture: Gesture;
}

/** The session of one person. Listeners answer with their undo. */
export interface Session {
  readonly cid: string;
  /** Opaque subject of the person; stable across sessions. */
  readonly person: string;
  /** The policy's settings for the person, whatever the page. */
  policy(): Settings;
  tabs(): readonly SessionTab[];
  /** Called with each tab that is added from now on. */
  onOpened(listener: (tab: SessionTab) => void): () => void;
  /** Called with each tab that has ended. */
  onClosed(listener: (tab: SessionTab) => void): () => void;
}

/** A page of our own extension in the person's surrogate: no site can reach it, and no tab shows it. */
export interface ExtensionPage {
  /**
   * Calls a function, given as its source, with arguments that JSON carries, as if within a gesture. Answers with its awaited result,
   * which comes from a renderer: check it.
   *
   * @throws AppError `script-failed` when it throws, or as CdpBroker.send.
   */
  call(source: string, args: readonly unknown[], options?: CallOptions): Promise<unknown>;
  /** Aborted once the page is gone: closed, crashed, or its browser ended. */
  readonly closed: AbortSignal;
  /** Closes it. Idempotent. */
  close(): void;
}

/** State of a permission, as the browser reports it to pages. */
export type PermissionSetting = 'granted' | 'denied' | 'prompt';

/**
 * Answers a call of the plugin's extension half. The value is hostile where it passes on what a page said. `signal` is aborted when the
 * extension's worker is gone. What it throws rejects the call.
 */
export type ExtensionHandler = (value: unknown, signal: AbortSignal) => Promise<unknown>;

/** The person's surrogate, as far as session halves may work it. Browser and Target domains stay in the cell. */
export interface SessionSurrogate extends SurrogateFiles {
  /**
   * Opens a page of our extension, by its path, in a window of its own that has the focus; `permissions` are granted to it by their
   * names in CDP. Whoever opened it closes it.
   *
   * @throws AppError `extension-page-failed`, retryable, or `pool-depleted`, `cdp-closed`, `cdp-timeout`.
   */
  openExtensionPage(path: string, options?: { readonly permissions?: readonly string[] }): Promise<ExtensionPage>;
  /**
   * Tells the pages of an origin that they have a permission, by its name in CDP. It holds until the browser ends; without a browser it
   * does nothing: see `onRenewed`. @throws AppError `cdp-error`, `cdp-closed`, `cdp-timeout`.
   */
  setPermission(origin: string, name: string, setting: PermissionSetting): Promise<void>;
  /** Called when a browser takes the session up: the first one, and each that takes the place of one that died, with nothing set yet. */
  onRenewed(listener: () => void): () => void;
  /**
   * Ids of the tabs whose page is in a window of the browser, by the number that the extension has for it. The browser's own process says
   * so. Each page soon has a window of its own: those that another page has opened begin in that page's.
   */
  tabsInWindow(windowId: number): Promise<readonly string[]>;
  /** Answers the calls of the plugin's extension half; without a handler they are rejected. @throws AppError `already-handled`. */
  onExtensionCall(handler: ExtensionHandler): () => void;
}

/** Scope of a session half, created once per person. All that is registered through it is undone when it is disposed, with the session. */
export interface SessionScope extends HostAccess {
  readonly plugin: { readonly id: string; readonly version: string; readonly variant: string };
  readonly log: Log;
  /** Services of the session: the host halves of all tabs find what is provided here. */
  readonly services: Services;
  readonly session: Session;
  readonly surrogate: SessionSurrogate;
  /** Aborted when the scope is disposed. */
  readonly signal: AbortSignal;
  /** Runs when the scope is disposed, in reverse order of registration. */
  onDispose(undo: () => void): void;
}

/** A session half, `host/session.ts`, exports `activateSession`. */
export type ActivateSession = (scope: SessionScope) => void | Promise<void>;
