import type { Frame, HostScope } from '../../../host/plugin.ts';
import type { manifest } from '../manifest.ts';
import { pageAnswer, permissionRequest, permissionsOver, POSITION_ERROR } from '../protocol.ts';
import type { PermissionRequest, PromiseOutcome } from '../protocol.ts';
import type { OriginPermission } from './origin-permissions.ts';

const MAIN_FRAME = 1;
/** Calls of a page that are kept in mind at once: those beyond are not answered. */
const MAX_CALLS = 1000;

/** A call of the page that waits, or a watch. */
interface Call {
  readonly frame: number;
  readonly id: number;
  readonly stays: boolean;
  waits: boolean;
}

/** The request that the client is at. */
interface Current {
  readonly request: PermissionRequest;
  readonly origin: string;
  /** It has told a position, or that there is none. */
  hasTold: boolean;
}

/**
 * The calls of a tab's page for the person's position, and the one request that the client is at for all of them. One per tab, as long as
 * the host half.
 */
export class GeolocationCalls {
  readonly #scope: HostScope<typeof manifest>;
  readonly #geolocation: OriginPermission;
  readonly #calls = new Map<string, Call>();
  #current: Current | undefined;
  #isPlaced = false;
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

  /** A page asks once, or from now on (`stays`). */
  ask(frame: Frame, id: number, stays: boolean): void {
    if (!isPages(frame, this.#scope.frames.get(MAIN_FRAME))) this.#reply(frame.id, id, true);
    else if (!this.#isSupported || this.#geolocation.decision(frame.origin) === 'denied') this.#reply(frame.id, id);
    else if (this.#calls.size < MAX_CALLS) {
      this.#calls.set(keyOf(frame.id, id), { frame: frame.id, id, stays, waits: true });
      if (this.#current?.request.stays && this.#current.hasTold) this.#answer();
      this.#update();
    }
  }

  /** A page does not ask any longer. */
  clear(frame: number, id: number): void {
    this.#calls.delete(keyOf(frame, id));
    this.#update();
  }

  /** The person's decision. */
  async decide(id: number, isGranted: boolean): Promise<void> {
    const current = this.#current;
    if (current?.request.id !== id || current.request.isGiven) return;
    if (!isGranted) return this.#deny(current);
    await this.#geolocation.decide(current.origin, 'granted');
    this.#update();
  }

  /** A position of the person's browser, or the reason for none. */
  async told(id: number, outcome: PromiseOutcome): Promise<void> {
    const current = this.#current;
    if (current?.request.id !== id || !this.#isSupported) return;
    const isRefused = !outcome.ok && outcome.code === POSITION_ERROR.permissionDenied;
    const decision = this.#geolocation.decision(current.origin);
    if (decision === 'granted' && !isRefused) await this.#place(current, outcome);
    else if (decision) await this.#deny(current); // by this browser, or in another tab
  }

  /** As early as it is known where the page goes: its first script may ask what it is granted. */
  goesTo(url: string): void {
    this.#letAsk(this.#pageOrigin, URL.parse(url)?.origin ?? 'null');
  }

  /** A frame shows another document. */
  navigated(frame: number): void {
    this.gone(frame);
    if (frame === MAIN_FRAME) this.#letAsk(this.#pageOrigin);
  }

  /** A frame is gone, with the calls of its document. */
  gone(frame: number): void {
    if (frame === MAIN_FRAME) this.#over();
    else this.#drop((call) => call.frame === frame);
  }

  /** Another page takes the place of the tab's: it has no position yet. */
  replaced(): void {
    this.#isPlaced = false;
    this.#over();
  }

  policyChanged(): void {
    this.#letAsk(this.#pageOrigin);
    if (!this.#isSupported) this.#refuse();
  }

  /** A client that knows nothing yet is told of the request that it is to be at. */
  renew(): void {
    this.#current = undefined;
    this.#update();
  }

  /** Refuses all calls; nothing may be asked from here on. */
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

  /** Has the client be at the request that the page's calls make now, and at nothing else. */
  #update(): void {
    const { commands } = this.#scope;
    const origin = this.#pageOrigin;
    const isGiven = this.#geolocation.decision(origin) === 'granted';
    const stays = [...this.#calls.values()].some((call) => call.stays);
    if (this.#calls.size === 0) {
      if (this.#current) commands.send(permissionsOver, undefined);
      this.#current = undefined;
    } else if (!this.#current || (isGiven && stays && !this.#current.request.stays)) {
      const site = (URL.parse(origin)?.host ?? '').slice(0, 300);
      const request: PermissionRequest = { id: ++this.#last, name: 'geolocation', site, isGiven, stays };
      this.#current = { request, origin, hasTold: false };
      commands.send(permissionRequest, request);
    }
  }

  #drop(isOver: (call: Call) => boolean): void {
    for (const [key, call] of this.#calls) if (isOver(call)) this.#calls.delete(key);
    this.#update();
  }

  /** The page is gone, or may not be told any more. */
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
    await this.#geolocation.decide(asked.origin, 'denied');
    if (this.#current !== asked) return;
    this.#answer(); // by the browser, which refuses
    this.#over();
  }

  async #place(told: Current, outcome: PromiseOutcome): Promise<void> {
    this.#isPlaced = true;
    // Without a position, the page is told that there is none.
    await this.#scope.cdp.send(0, 'Emulation.setGeolocationOverride', outcome.ok ? outcome.value : {});
    if (this.#current !== told) return;
    told.hasTold = true;
    if (!told.request.stays) this.#current = undefined;
    this.#answer();
    this.#update();
  }
}

const keyOf = (frame: number, id: number): string => `${frame} ${id}`;

const isWeb = (origin: string): boolean => /^https?:\/\//.test(origin);

/** Frames of other sites would be asked for in the page's name. */
function isPages({ origin }: Frame, main: Frame | undefined): boolean {
  return isWeb(origin) && origin === main?.origin;
}
