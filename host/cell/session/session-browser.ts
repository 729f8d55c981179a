import type { Log } from '../../../core/contracts/scope.ts';
import { AppError, toAppError } from '../../../core/protocol/errors.ts';
import { onAbort } from '../../../core/protocol/on-abort.ts';
import { displayScale } from '../../base/display-scale.ts';
import type { KeptCookies } from '../../base/kept-cookies.ts';
import type { Person } from '../../base/person.ts';
import type { PersonPolicy } from '../../policy/person-policy.ts';
import type { CdpSession } from '../../surrogate/cdp-session.ts';
import { quietly } from '../page/target-defaults.ts';
import type { Running } from './browser-supply.ts';
import { CookieJar } from './cookie-jar.ts';
import { reportLoss } from './report-loss.ts';
import { SparePage } from './spare-page.ts';
import { Targets } from './targets.ts';
import type { TargetListener } from './targets.ts';

/** Interval and deadline of pings; a browser that does not answer in time counts as dead. */
const PING_EVERY_MS = 5000;
const PING_DEADLINE_MS = 8000;
/** Interval of reading cookies that pages set after loading, while there is traffic. */
const LOOK_FOR_COOKIES_MS = 5000;

/** Parts and callbacks of the browser of a session. */
interface SessionBrowserOptions extends TargetListener {
  readonly person: Person;
  readonly cid: string;
  /** Takes a browser for this person, with a display of that scale if it is known. @throws AppError `pool-depleted`. */
  readonly take: (scale?: number) => Promise<Running>;
  readonly policy: PersonPolicy;
  readonly kept: KeptCookies;
  readonly mayRestoreTabs: () => boolean;
  /** Called when the session has a new browser. */
  readonly onBegun: () => void;
  /** Called when it is lost, with the reason; `tabs` are logged. */
  readonly onLost: (why: string) => void;
  readonly tabs: () => number;
  readonly log: Log;
}

/** The browser of one session: started on demand, supervised, and replaced after it has died. The caller closes it. */
export class SessionBrowser {
  readonly #options: SessionBrowserOptions;
  readonly #jar: CookieJar;
  readonly #spare = new SparePage({ open: () => this.newPage(), close: (page) => this.closePage(page) });
  #running: Promise<Running> | undefined;
  /** Scale of the display; undefined until the first page is opened. */
  #scale: number | undefined;
  /** Resolves when the last browser has ended: a cell has one at a time, and a connection ends before its process. */
  #ended: Promise<void> = Promise.resolve();
  #current: Running | undefined;
  #targets: Targets | undefined;
  /** Time and traffic of the last reading of cookies. */
  #looked = { at: 0, bytes: 0 };
  /** Bytes of earlier browsers. */
  #spent = 0;
  #endReason: string | undefined;
  #closed = false;

  constructor(options: SessionBrowserOptions) {
    this.#options = options;
    const { person, kept, mayRestoreTabs, log } = options;
    this.#jar = new CookieJar({ subject: person.subject, kept, mayKeep: mayRestoreTabs, log });
  }

  /** The browser that runs now. */
  get current(): Running | undefined {
    return this.#current;
  }

  /** Why the last browser that has ended was ended, where the launcher has ended it; known once another runs. */
  get endReason(): string | undefined {
    return this.#endReason;
  }

  get targets(): Targets | undefined {
    return this.#targets;
  }

  /** Bytes of all its traffic, and that of the browsers before it. */
  get bytes(): number {
    return this.#spent + bytesOf(this.#current);
  }

  /** Returns the browser, starting one if necessary. @throws AppError `pool-depleted`. */
  running(): Promise<Running> {
    return this.#running ?? this.#keep(this.#taken());
  }

  /**
   * Opens a blank page, or takes the spare one. The first ratio of the person's screen decides the scale of the browser's display.
   * @throws AppError `pool-depleted`, `cdp-closed`, or as CdpSession.send.
   */
  openPage(ratio?: number): Promise<CdpSession> {
    if (ratio !== undefined && this.#scale === undefined) this.#fit(displayScale(ratio));
    return this.#spare.take();
  }

  /** Opens a blank page. @throws as {@link openPage}. */
  async newPage(): Promise<CdpSession> {
    await this.running();
    if (!this.#targets) throw new AppError('cdp-closed', 'The surrogate is gone.', { retryable: true });
    return this.#targets.open();
  }

  /** Opens a page in advance for the next tab. */
  prepareSpare(): void {
    this.#spare.prepare();
  }

  closePage(page: CdpSession): void {
    this.#targets?.close(page);
  }

  /** Reads the cookies now, for the next browser. */
  lookForCookies(): void {
    if (this.#current) this.#jar.look(this.#current.surrogate.connection.root);
  }

  /** Reads the cookies if there was traffic. */
  meter(): void {
    const [now, bytes] = [performance.now(), bytesOf(this.#current)];
    if (bytes === this.#looked.bytes || now - this.#looked.at < LOOK_FOR_COOKIES_MS) return;
    this.#looked = { at: now, bytes };
    this.lookForCookies();
  }

  /** Ends it with its profile, and its cookies unless they are kept for the person's return. Idempotent. */
  async close(keepsCookies = false): Promise<void> {
    this.#closed = true;
    if (keepsCookies) await this.#jar.leave(this.#current?.surrogate.connection.root);
    await this.#running?.then((running) => running.close()).catch(() => undefined); // one that never came needs no closing
    if (!keepsCookies) await this.#jar.empty();
  }

  /** Has its processes give back the memory that they can do without; the spare page is closed. */
  trim(): void {
    const { current } = this;
    this.#spare.drop();
    if (current)
      quietly(current.surrogate.connection.root.send('Memory.simulatePressureNotification', { level: 'critical' }));
  }

  /** The browser that there is from now on, unless it fails. */
  #keep(running: Promise<Running>): Promise<Running> {
    this.#running = running;
    running.catch(() => {
      if (this.#running === running) this.#running = undefined;
    });
    return running;
  }

  async #taken(): Promise<Running> {
    await this.#ended;
    if (this.#closed) throw new AppError('cdp-closed', 'The session is closed.');
    const running = await this.#options.take(this.#scale);
    this.#begin(running);
    await this.#jar.fill(running.surrogate.connection.root);
    return running;
  }

  /** Sets the scale. A browser that was started before it was known, with another one, has shown nothing yet: another takes its place. */
  #fit(scale: number): void {
    this.#scale = scale;
    const before = this.#running;
    if (!before || this.#current?.scale === scale) return;
    this.#spare.drop();
    const fitted: Promise<Running> = before.then(async (running): Promise<Running> => {
      if (running.scale === scale) return running;
      if (this.#current === running) {
        this.#spent += bytesOf(running);
        this.#current = this.#targets = undefined;
      }
      await running.close();
      // One that has died meanwhile is lost, and another one may have been started.
      return this.#running === fitted ? this.#taken() : this.running();
    });
    void this.#keep(fitted);
  }

  #begin(running: Running): void {
    this.#current = running;
    running.egress.decideBy((destination) => this.#options.policy.mayReach(destination));
    const { connection, exited } = running.surrogate;
    this.#options.onBegun();
    this.#targets = new Targets(connection, this.#options);
    let isOver = false;
    const over = (why: string): void => {
      if (isOver) return;
      isOver = true;
      clearInterval(timer);
      this.#ended = running.close().catch(() => undefined); // it is killed with its cell then
      if (!this.#closed && this.#current === running) this.#lost(running, why);
    };
    const timer = setInterval(() => {
      connection.root
        .send('Browser.getVersion', undefined, { deadlineMs: PING_DEADLINE_MS })
        .catch((thrown: unknown) => {
          if (toAppError(thrown).code === 'cdp-timeout') over('hung');
        });
    }, PING_EVERY_MS);
    timer.unref();
    onAbort(connection.root.closed, () => over('exited'));
    void exited.then(({ reason }) => {
      this.#endReason = reason;
      over('exited');
    });
  }

  #lost(running: Running, why: string): void {
    const { cid, tabs, log } = this.#options;
    void reportLoss(running.surrogate, { cid, why, tabs: tabs() }, log);
    this.#spent += bytesOf(running);
    this.#running = this.#current = this.#targets = undefined;
    this.#options.onLost(why);
  }
}

function bytesOf(running: Running | undefined): number {
  return running ? running.egress.bytesIn + running.egress.bytesOut : 0;
}
