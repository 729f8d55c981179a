import type { HostScope, WindowOpened } from '../../../host/plugin.ts';
import { MAX_ADDRESS, tabClosed, tabDenied, tabInit, tabOpen } from '../protocol.ts';
import type { PopupRequest } from '../protocol.ts';
import { featureJson, featureString } from '../features.ts';
import { Denials, pathOf } from './denials.ts';
import { mayOpenTabs } from './may-open-tabs.ts';
import { openFrom } from './open-from.ts';
import { isOneSandboxed } from './sandboxed.ts';
import { WindowCalls } from './window-calls.ts';

const MAIN_FRAME = 1;
const BLANK = 'about:blank';
/** Maximum number of requests of a page that wait for the person's answer (M-048). */
const MAX_ASKED = 5;
/** Longest name of a window, in UTF-16 units; one with a longer name has none. */
const MAX_NAME = 200;
/** Time in which a window that the person has allowed has to be there, in ms. */
const OPEN_MS = 10_000;

/** Parameters of `Page.windowOpen`, by a renderer: hostile. */
interface PageCall {
  readonly url: string;
  readonly windowName: string;
  readonly windowFeatures: readonly string[];
  readonly userGesture: boolean;
}

/** A request without a gesture: there is no window yet. */
interface Asked {
  readonly request: PopupRequest;
  readonly frame: number;
  readonly call: readonly [url: string, name: string, features: string];
  /** Once the person has allowed it. */
  timer: NodeJS.Timeout | undefined;
}

/** A window of the surrogate. */
interface Live {
  readonly token: string;
  /** Its address when it was opened. */
  readonly uri: string;
  /** The origin of the document that has opened it. */
  readonly origin: string;
}

interface PageWindowsOptions {
  readonly scope: Pick<HostScope, 'commands' | 'frames' | 'cdp' | 'input' | 'tab' | 'log'>;
  /** Closes a window of the surrogate, by its token. */
  readonly close: (token: string) => void;
}

/**
 * The windows that the page of one tab has opened, and those that it would like to. The surrogate's own blocker decides whether the page may open
 * one: it refuses those for which nobody has acted. For these the person is asked, and the host opens them on Allow.
 */
export class PageWindows {
  readonly #options: PageWindowsOptions;
  readonly #calls = new WindowCalls();
  readonly #denials = new Denials();
  readonly #asked = new Map<number, Asked>();
  readonly #live = new Map<number, Live>();
  /** Requests whose origin is being asked for. */
  #coming = 0;
  /** Counts pages of the tab: a request of an earlier one is dropped. */
  #page = 0;
  #last = 0;

  constructor(options: PageWindowsOptions) {
    this.#options = options;
  }

  /** The page has called for a window. */
  async called({ url, windowName, windowFeatures, userGesture }: PageCall, frame: number): Promise<void> {
    const address = url === '' ? BLANK : url;
    if (userGesture) {
      const allowed = [...this.#asked].find(([, { call, timer }]) => timer !== undefined && call[0] === address);
      const origin = this.#originOf(frame);
      this.#calls.add({ url: address, features: windowFeatures, id: allowed?.[0], origin });
      return;
    }
    if (!mayOpenTabs(this.#options.scope.tab)) return;
    if (!/^(?:https?:|about:blank$)/i.test(address) || address.length > MAX_ADDRESS) return;
    if (this.#asked.size + this.#coming >= MAX_ASKED) return;
    this.#coming += 1;
    try {
      await this.#ask(address, windowName, windowFeatures, frame);
    } finally {
      this.#coming -= 1;
    }
  }

  /** A window is there, and waits for the person's browser to show it. */
  async opened({ token, url, hasOpener }: WindowOpened): Promise<void> {
    const { commands, tab } = this.#options.scope;
    const call = this.#calls.take(url);
    const asked = this.#asked.get(call?.id ?? 0);
    if (!mayOpenTabs(tab)) {
      this.#refuse(asked);
      this.#options.close(token); // nothing has been requested for it
      return;
    }
    const target = url.length > MAX_ADDRESS ? BLANK : url;
    const id = asked?.request.id ?? ++this.#last;
    const known = { token, uri: target };
    if (asked) {
      this.#live.set(id, { ...known, origin: asked.request.uri_origin });
      this.#forget(id, asked);
      commands.send(tabInit, { id, pairing_dict: { pid: token }, target_uri: target });
      return;
    }
    const pageOrigin = originOf(tab.url());
    this.#live.set(id, { ...known, origin: pageOrigin });
    const origin = (await call?.origin) ?? pageOrigin;
    if (!this.#live.has(id)) return; // closed meanwhile
    this.#live.set(id, { ...known, origin });
    commands.send(tabOpen, {
      id,
      user_initiated: true,
      uri_origin: origin,
      target_uri: target,
      feature_str: featureJson(call?.features ?? ['toolbar']),
      pairing_dict: { pid: token },
      has_opener: hasOpener,
    });
  }

  /** A window is gone: the client closes the tab that shows it. */
  closed(token: string): void {
    for (const [id, live] of this.#live) {
      if (live.token !== token) continue;
      this.#live.delete(id);
      this.#options.scope.commands.send(tabClosed, { id });
    }
  }

  /** The person has answered a request, or their browser shows the window. */
  async answered(id: number, allowed: boolean): Promise<void> {
    const { commands } = this.#options.scope;
    const live = this.#live.get(id);
    const asked = this.#asked.get(id);
    if (asked && !asked.timer) {
      if (allowed && mayOpenTabs(this.#options.scope.tab)) await this.#open(id, asked);
      else if (allowed) this.#refuse(asked);
      else {
        this.#forget(id, asked);
        this.#denials.add(asked.request.uri_origin, asked.request.target_uri);
        commands.send(tabDenied, { id });
      }
    } else if (live && allowed) commands.send(tabInit, { id, pairing_dict: { pid: live.token }, target_uri: live.uri });
    else if (live) {
      this.#denials.add(live.origin, live.uri);
      this.#drop(id, live);
      commands.send(tabDenied, { id });
    } else if (!asked) commands.send(tabDenied, { id }); // it is gone
  }

  /** The person has closed the tab of a window. */
  close(id: number): void {
    const live = this.#live.get(id);
    if (live) this.#drop(id, live);
  }

  /** A client that has been reloaded has lost the questions. */
  askAgain(): void {
    for (const { request, timer } of this.#asked.values())
      if (!timer) this.#options.scope.commands.send(tabOpen, request);
  }

  /** The page is another: nobody waits for an answer. */
  withdraw(): void {
    this.#page += 1;
    for (const [id, asked] of this.#asked) {
      this.#forget(id, asked);
      this.#options.scope.commands.send(tabClosed, { id });
    }
  }

  dispose(): void {
    for (const { timer } of this.#asked.values()) clearTimeout(timer);
  }

  async #ask(address: string, name: string, features: readonly string[], frame: number): Promise<void> {
    const { scope } = this.#options;
    const { commands, cdp } = scope;
    const page = this.#page;
    const origin = await this.#originOf(frame);
    // Which of several frames of a process has called is not known.
    const nested = cdp.framesOf({ frame: frame === MAIN_FRAME ? 0 : frame }).filter((id) => id !== frame);
    if (this.#denials.has(origin, address) || (await isOneSandboxed(scope, nested))) return;
    const isAsked = [...this.#asked.values()].some(({ call }) => pathOf(call[0]) === pathOf(address));
    if (page !== this.#page || isAsked) return;
    const hasOpener = nested.length === 0 && !features.includes('noopener');
    const json = featureJson(features);
    const asText = [featureString(json), ...(hasOpener ? [] : ['noopener'])].filter((part) => part !== '').join(',');
    const request: PopupRequest = {
      id: ++this.#last,
      user_initiated: false,
      uri_origin: origin,
      target_uri: address,
      feature_str: json,
      pairing_dict: {},
      has_opener: hasOpener,
    };
    const target = name.length > MAX_NAME || name.startsWith('_') ? '_blank' : name;
    this.#asked.set(request.id, { request, frame, call: [address, target, asText], timer: undefined });
    commands.send(tabOpen, request);
  }

  /** Opens the window of a request that the person has allowed. */
  async #open(id: number, asked: Asked): Promise<void> {
    const { scope } = this.#options;
    const failed = (why: string): void => {
      if (this.#asked.get(id) !== asked) return;
      scope.log.info('a window of a page was not opened', { reason: why });
      this.#forget(id, asked);
      scope.commands.send(tabDenied, { id });
    };
    asked.timer = setTimeout(failed, OPEN_MS, 'timeout').unref();
    const open = async (): Promise<void> => {
      await openFrom(scope, asked.frame, asked.call).catch((thrown: unknown) => failed(String(thrown)));
    };
    await scope.input.enqueue(open);
  }

  /** The policy lets the page open no windows, or no more. `asked`: the request of the window. */
  #refuse(asked: Asked | undefined): void {
    const { commands } = this.#options.scope;
    if (asked) {
      const { id } = asked.request;
      this.#forget(id, asked);
      commands.send(tabDenied, { id });
    }
    commands.send(tabDenied, {});
  }

  async #originOf(frame: number): Promise<string> {
    const origin = await this.#options.scope.frames.originOf(frame).catch(() => 'null');
    return origin.slice(0, 300);
  }

  #forget(id: number, { timer }: Asked): void {
    clearTimeout(timer);
    this.#asked.delete(id);
  }

  #drop(id: number, live: Live): void {
    this.#live.delete(id);
    this.#options.close(live.token);
  }
}

function originOf(address: string): string {
  return (URL.parse(address)?.origin ?? 'null').slice(0, 300);
}
