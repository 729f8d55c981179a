import type { Frame, HostScope } from '../../../host/plugin.ts';
import type { manifest } from '../manifest.ts';
import { pageAnswer, permissionRequest, permissionsOver, POSITION_ERROR } from '../protocol.ts';
import type { PermissionRequest, PromiseOutcome } from '../protocol.ts';
import type { OriginPermission } from './origin-permissions.ts';

const MAIN_FRAME = 1;
/** Maximum number of pending calls of a page. Further calls are not answered. */
const MAX_CALLS = 1000;

/** A pending call of the page, or a watch. */
interface Call {
  readonly frame: number;
  readonly id: number;
  readonly stays: boolean;
  waits: boolean;
}

/** The client's current request. */
interface Current {
  readonly request: PermissionRequest;
  readonly origin: string;
  /** Whether it has reported a position or its absence. */
  hasReported: boolean;
}

/**
 * The calls of a tab's page for the person's position, and the client's single request for all of them. One per tab, with the lifetime of
 * the host half.
 */
export class GeolocationCalls {
  readonly #scope: HostScope<typeof manifest>;
  readonly #geolocation: OriginPermission;
  readonly #calls = new Map<string, Call>();
  #current: Current | undefined;
  #isPlaced = false;
  /** Origin of the page that asks, as it was confirmed when it asked: its process may name another one at any time. */
  #asker = 'null';
  #last = 0;

  constructor(scope: HostScope<typeof manifest>, geolocation: OriginPermission) {
    this.#scope = scope;
    this.#geolocation = geolocation;
  }

  get #isSupported(): boolean {
    return this.#scope.tab.policy().permissions.geolocation;
  }

  get #pageOrigin(): string {
    return this.#scope.frames.get(MAIN_FRAME)?.origin ?? 'null';
  }

  /** A page asks once, or continuously (`stays`). The browser's process has confirmed the origins of the frame and the page. */
  ask(frame: Frame, id: number, stays: boolean): void {
    if (!isPages(frame, this.#scope.frames.get(MAIN_FRAME))) this.#reply(frame.id, id, true);
    else if (!this.#isSupported || this.#geolocation.decision(frame.origin) === 'denied') this.#reply(frame.id, id);
    else if (this.#calls.size < MAX_CALLS) {
      if (frame.origin !== this.#asker) this.#over();
      this.#asker = frame.origin;
      this.#calls.set(keyOf(frame.id, id), { frame: frame.id, id, stays, waits: true });
      if (this.#current?.request.stays && this.#current.hasReported) this.#answer();
      this.#update();
    }
  }

  /** A page has cleared a watch. */
  clear(frame: number, id: number): void {
    this.#calls.delete(keyOf(frame, id));
    this.#update();
  }

  /** The person's decision. */
  async decide(id: number, isGranted: boolean): Promise<void> {
    const current = this.#current;
    if (current?.request.id !== id || current.request.isGiven) return;
    if (!isGranted) return this.#deny(current);
    await this.#settle(current, 'granted');
    this.#update();
  }

  /** Applies a decision, and records it unless it holds already: a client may send it any number of times. */
  async #settle({ origin, request }: Current, decision: 'granted' | 'denied'): Promise<void> {
    const before = this.#geolocation.decision(origin);
    await this.#geolocation.decide(origin, decision);
    if (before !== decision)
      this.#scope.records.append('decisions', { site: origin, permission: request.name, decision });
  }

  /** The position from the person's browser, or the reason why there is none. */
  async report(id: number, outcome: PromiseOutcome): Promise<void> {
    const current = this.#current;
    if (current?.request.id !== id || !this.#isSupported) return;
    const isRefused = !outcome.ok && outcome.code === POSITION_ERROR.permissionDenied;
    const decision = this.#geolocation.decision(current.origin);
    if (decision === 'granted' && !isRefused) await this.#place(current, outcome);
    else if (decision) await this.#deny(current); // by this browser, or in another tab
  }

  /** The page navigates. Called as soon as the destination is known: the page's first script may query its permissions. */
  goesTo(url: string): void {
    this.#letAsk(this.#pageOrigin, URL.parse(url)?.origin ?? 'null');
  }

  /** A frame shows another document. */
  navigated(frame: number): void {
    this.frameRemoved(frame);
    if (frame === MAIN_FRAME) this.#letAsk(this.#pageOrigin);
  }

  /** A frame was removed, with the calls of its document. */
  frameRemoved(frame: number): void {
    if (frame === MAIN_FRAME) this.#over();
    else this.#drop((call) => call.frame === frame);
  }

  /** Another page has replaced the tab's: it has no position yet. */
  replaced(): void {
    this.#isPlaced = false;
    this.#over();
  }

  policyChanged(): void {
    this.#letAsk(this.#pageOrigin);
    if (!this.#isSupported) this.#refuse();
  }

  /** Sends the current request to a reloaded client. */
  renew(): void {
    this.#current = undefined;
    this.#update();
  }

  /** Rejects all calls and withdraws the permission to ask. */
  dispose(): void {
    this.#quietly(this.#geolocation.letAsk([]));
    this.#refuse();
  }

  #letAsk(...origins: string[]): void {
    this.#quietly(this.#geolocation.letAsk(this.#isSupported ? origins.filter(isWeb) : []));
  }

  #quietly(setting: Promise<unknown>): void {
    setting.catch((thrown: unknown) => {
      this.#scope.log.info('a permission could not be set', { reason: String(thrown) });
    });
  }

  #reply(frame: number, id: number, isRefused = false): void {
    this.#scope.page.send(frame, pageAnswer, { id, isRefused });
  }

  #answer(isRefused?: boolean): void {
    for (const [key, call] of this.#calls) {
      if (call.waits) this.#reply(call.frame, call.id, isRefused);
      if (call.stays) call.waits = false;
      else this.#calls.delete(key);
    }
  }

  /** Updates the client's request to the page's current calls. */
  #update(): void {
    const { commands } = this.#scope;
    const origin = this.#asker;
    const isGiven = this.#geolocation.decision(origin) === 'granted';
    const stays = [...this.#calls.values()].some((call) => call.stays);
    if (this.#calls.size === 0) {
      if (this.#current) commands.send(permissionsOver, undefined);
      this.#current = undefined;
    } else if (!this.#current || (isGiven && stays && !this.#current.request.stays)) {
      const site = (URL.parse(origin)?.host ?? '').slice(0, 300);
      const request: PermissionRequest = { id: ++this.#last, name: 'geolocation', site, isGiven, stays };
      this.#current = { request, origin, hasReported: false };
      if (!isGiven) this.#scope.records.count('requests');
      commands.send(permissionRequest, request);
    }
  }

  #drop(isOver: (call: Call) => boolean): void {
    for (const [key, call] of this.#calls) if (isOver(call)) this.#calls.delete(key);
    this.#update();
  }

  /** The page was closed, or has lost its permission. */
  #over(): void {
    this.#drop(() => true);
    if (this.#isPlaced) this.#quietly(this.#scope.cdp.send(0, 'Emulation.clearGeolocationOverride'));
    this.#isPlaced = false;
  }

  #refuse(): void {
    this.#answer(true);
    this.#over();
  }

  async #deny(asked: Current): Promise<void> {
    await this.#settle(asked, 'denied');
    if (this.#current !== asked) return;
    this.#answer(); // the browser denies it
    this.#over();
  }

  async #place(asked: Current, outcome: PromiseOutcome): Promise<void> {
    this.#isPlaced = true;
    // Without a position, the page gets the error that there is none.
    await this.#scope.cdp.send(0, 'Emulation.setGeolocationOverride', outcome.ok ? outcome.value : {});
    if (this.#current !== asked) return;
    asked.hasReported = true;
    if (!asked.request.stays) this.#current = undefined;
    this.#answer();
    this.#update();
  }
}

const keyOf = (frame: number, id: number): string => `${frame} ${id}`;

const isWeb = (origin: string): boolean => /^https?:\/\//.test(origin);

/** Whether a frame has the page's origin. Frames of other sites would be asked for under the page's name. */
function isPages({ origin }: Frame, main: Frame | undefined): boolean {
  return isWeb(origin) && origin === main?.origin;
}
