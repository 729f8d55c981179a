import { framesIn } from '../protocol/frame-run.ts';
import { BACKEND_DELAY, MAX_UPSTREAM_BYTES, PULL_HOLD_MS } from '../protocol/wire.ts';
import { PASSIVE_PULL_MS } from './config.ts';
import type { ChannelConfig } from './config.ts';
import { randomId } from './random-id.ts';
import { queryOf } from './transport.ts';
import type { ChannelNames, Connection, ConnectionEvents, Ended, Transport } from './transport.ts';

/** Options of a long poll. */
interface LongPollOptions {
  readonly origin: string;
  readonly config: Pick<ChannelConfig, 'pullTimeoutMs' | 'pushTimeoutMs' | 'wsTestMs'>;
  /** Whether the person uses the window now: pulls of a passive one are not held (M-074). */
  readonly isActive: () => boolean;
}

/** Statuses that say that the host does not know the session, or that the request is wrong: no use in trying again. */
const REFUSED = [400, 401, 403, 404];
/** Another client has taken the channel over. */
const REPLACED = 410;

/** The surrogate channel without a websocket: POST /r/push upwards, POST /r/p downwards (M-073, M-074). */
export function longPoll(options: LongPollOptions): Transport {
  return {
    mode: 'xhr',
    open: (names, events) => new Polling(options, names, events),
    websocketsPass: () => echoes(options.origin, options.config.wsTestMs),
  };
}

class Polling implements Connection {
  readonly #options: LongPollOptions;
  readonly #names: ChannelNames;
  readonly #events: ConnectionEvents;
  readonly #abort = new AbortController();
  #waiting: string[] = [];
  #isPushing = false;
  #isOpen = true;
  #wake: (() => void) | undefined;

  constructor(options: LongPollOptions, names: ChannelNames, events: ConnectionEvents) {
    this.#options = options;
    this.#names = names;
    this.#events = events;
    void this.#pull();
  }

  send(text: string): void {
    this.#waiting.push(text);
    if (!this.#isPushing) void this.#push();
  }

  close(): void {
    this.#isOpen = false;
    this.#abort.abort();
    this.wake();
  }

  wake(): void {
    this.#wake?.();
  }

  /** One pull after another; each says by its number that it has the answer of the one before. */
  async #pull(): Promise<void> {
    const { config, isActive } = this.#options;
    for (let pull = 1; ; pull += 1) {
      const active = isActive();
      const began = performance.now();
      const tms = String(active ? PULL_HOLD_MS : 0);
      const answer = await this.#post('p', { tms, pull: String(pull) }, undefined, config.pullTimeoutMs);
      if (!answer) return;
      let frames: Uint8Array[];
      try {
        frames = framesIn(answer.body);
      } catch {
        this.#end('server');
        return;
      }
      if (pull === 1) this.#events.found();
      this.#events.roundTrip(Math.max(0, performance.now() - began - answer.delay));
      for (const frame of frames) if (this.#isOpen) this.#events.frame(frame);
      if (!active && this.#isOpen) await this.#pause();
      if (!this.#isOpen) return;
    }
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, PASSIVE_PULL_MS);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** One push at a time, so that messages arrive in their order; what gathers meanwhile goes with the next. */
  async #push(): Promise<void> {
    this.#isPushing = true;
    await Promise.resolve(); // what is said in one turn goes in one push
    while (this.#isOpen && this.#waiting.length > 0) {
      let count = 0;
      for (let units = 0; count < this.#waiting.length; count += 1) {
        units += (this.#waiting[count]?.length ?? 0) * 3; // UTF-8 takes at most three bytes for each unit
        if (count > 0 && units > MAX_UPSTREAM_BYTES) break;
      }
      const body = `[${this.#waiting.splice(0, count).join()}]`;
      if (!(await this.#post('push', {}, body, this.#options.config.pushTimeoutMs))) return;
    }
    this.#isPushing = false;
  }

  /** Undefined when it has failed, which has ended the connection. */
  async #post(
    path: 'p' | 'push',
    more: Readonly<Record<string, string>>,
    body: string | undefined,
    timeoutMs: number,
  ): Promise<{ readonly body: Uint8Array; readonly delay: number } | undefined> {
    try {
      const answer = await fetch(`${this.#options.origin}/r/${path}?${queryOf(this.#names, more)}`, {
        method: 'POST',
        credentials: 'include',
        cache: 'no-store',
        signal: AbortSignal.any([this.#abort.signal, AbortSignal.timeout(timeoutMs)]),
        ...(body !== undefined && { body, headers: { 'content-type': 'application/json' } }),
      });
      const bytes = new Uint8Array(await answer.arrayBuffer());
      if (!this.#isOpen) return undefined;
      if (answer.status === 200) return { body: bytes, delay: Number(answer.headers.get(BACKEND_DELAY)) || 0 };
      if (REFUSED.includes(answer.status)) {
        this.close();
        this.#events.notFound();
      } else this.#end(answer.status === REPLACED ? 'final' : answer.status >= 500 ? 'server' : 'network');
    } catch {
      this.#end('network');
    }
    return undefined;
  }

  #end(why: Ended): void {
    if (!this.#isOpen) return;
    this.close();
    this.#events.closed(why);
  }
}

/** Whether a websocket of this origin carries a text there and back in time (M-073). */
async function echoes(origin: string, timeoutMs: number): Promise<boolean> {
  const text = randomId(16);
  let socket: WebSocket;
  try {
    socket = new WebSocket(`${origin.replace(/^http/, 'ws')}/r/wsecho?xid=${text}`);
  } catch {
    return false;
  }
  const passes = await new Promise<boolean>((resolve) => {
    setTimeout(resolve, timeoutMs, false);
    socket.onopen = () => {
      socket.send(text);
    };
    socket.onmessage = ({ data }) => {
      resolve(data === text);
    };
    socket.onclose = () => {
      resolve(false);
    };
  });
  socket.close();
  return passes;
}
