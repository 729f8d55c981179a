import { decodePiece } from '../../../core/protocol/bodies/pieces.ts';
import { AppError, toAppError } from '../../../core/protocol/errors.ts';
import type { AnyManifest } from '../../../core/contracts/manifest.ts';
import type { HostScope } from '../../plugin.ts';
import { PluginThread } from './plugin-thread.ts';
import { scopeMethods } from './scope-methods.ts';
import type { Answered } from './scope-methods.ts';
import { BodyWire } from './thread-bodies.ts';
import { errorOf, readError } from './wire.ts';
import type { Up } from './wire.ts';

/** Listeners of one thread that may owe an answer at a time. */
const MAX_PENDING = 5000;

/** Told of faults that have no caller to go to, and of the end of a half that had been activated. */
export interface HalfListener {
  readonly onFault: (fault: AppError) => void;
  readonly onEnd: (fault: AppError) => void;
}

/**
 * Makes the host half `file` of the plugin in `folder` one that runs in a thread of its own for each tab. What comes of it rejects when it cannot
 * be activated.
 */
export function threadedHalf(
  folder: string,
  file: string,
  manifest: AnyManifest,
): (scope: HostScope, listener: HalfListener) => Promise<void> {
  return (scope, listener) =>
    new Promise((resolve, reject) => {
      const { plugin, tab } = scope;
      const { id, cid, person, capabilities } = tab;
      const half = new RunningHalf(scope, manifest, listener.onFault);
      let isReady = false;
      const thread = new PluginThread(
        folder,
        manifest.permissions?.node ?? [],
        { kind: 'run', file, facts: { plugin, tab: { id, cid, person, capabilities } } },
        {
          onMessage: (message) => {
            if (message[0] === 'ready') {
              isReady = true;
              resolve();
            } else if (message[0] === 'failed') {
              thread.dispose();
              reject(errorOf(message[1]));
            } else half.take(message, thread);
          },
          onPiece: (piece) => half.takePiece(piece),
          onEnd: (fault) => {
            half.close(fault);
            if (isReady) listener.onEnd(fault);
            else reject(fault);
          },
        },
      );
      half.start(thread);
      scope.onDispose(() => {
        thread.dispose();
        half.close(new AppError('plugin-disposed', `${plugin.id} is over`));
      });
    });
}

/** What a thread's messages mean to its scope. */
class RunningHalf {
  readonly #scope: HostScope;
  readonly #manifest: AnyManifest;
  readonly #onFault: (fault: AppError) => void;
  readonly #pending = new Map<number, { resolve(answered: Answered): void; reject(fault: AppError): void }>();
  #bodies: BodyWire | undefined;
  #methods: ReturnType<typeof scopeMethods> = new Map();
  #asked = 0;

  constructor(scope: HostScope, manifest: AnyManifest, onFault: (fault: AppError) => void) {
    this.#scope = scope;
    this.#manifest = manifest;
    this.#onFault = onFault;
  }

  start(thread: PluginThread): void {
    const bodies = (this.#bodies = new BodyWire(
      (piece) => thread.sendPiece(piece),
      (said) => thread.send(['body', said]),
      this.#onFault,
    ));
    this.#methods = scopeMethods(this.#scope, this.#manifest, {
      tell: (listener, args) => thread.send(['call', 0, listener, args, 0]),
      ask: (listener, args, body) =>
        new Promise((resolve, reject) => {
          if (this.#pending.size >= MAX_PENDING)
            throw new AppError('too-many-calls', 'too many calls are waiting', { retryable: true });
          const id = (this.#asked += 1);
          bodies.sendAccompanied(body, (_none, number) => {
            this.#pending.set(id, { resolve, reject });
            thread.send(['call', id, listener, args, number]);
          });
        }),
      stream: (body) => bodies.stream(body),
    });
  }

  take(message: Up, thread: PluginThread): void {
    switch (message[0]) {
      case 'invoke':
        void this.#invoke(message[1], message[2], message[3], thread);
        break;
      case 'sync':
        this.#sync(message[1], message[2], thread);
        break;
      case 'answer':
        this.#settle(message[1], message[2], message[3], message[4]);
        break;
      case 'body':
        this.#bodies?.carrier.control(message[1]);
        break;
      case 'log':
        this.#scope.log[message[1]](message[2].slice(0, 2000), message[3] ?? undefined);
        break;
      case 'fault':
        this.#onFault(errorOf(message[1]));
        break;
      default:
        throw new AppError('bad-packet', `${message[0]} is said at another time`);
    }
  }

  /** Takes a piece of a body. @throws AppError `bad-frame`. */
  takePiece(piece: Uint8Array): void {
    this.#bodies?.carrier.take(decodePiece(piece));
  }

  close(reason: AppError): void {
    this.#bodies?.carrier.close(reason);
    for (const { reject } of this.#pending.values()) reject(reason);
    this.#pending.clear();
  }

  #call(name: string, args: readonly unknown[]): unknown {
    const method = this.#methods.get(name);
    if (!method) throw new AppError('bad-packet', `there is no ${name}`);
    return method(args);
  }

  async #invoke(id: number, name: string, args: readonly unknown[], thread: PluginThread): Promise<void> {
    try {
      const answer = await this.#call(name, args);
      if (id !== 0 && this.#bodies)
        this.#bodies.sendAccompanied(answer, (value, body) => thread.send(['settle', id, true, value ?? null, body]));
    } catch (thrown) {
      const fault = toAppError(thrown);
      if (id === 0) this.#onFault(fault);
      else thread.send(['settle', id, false, fault.toRecord(), 0]);
    }
  }

  #sync(name: string, args: readonly unknown[], thread: PluginThread): void {
    try {
      const value = this.#call(name, args);
      if (value instanceof Promise) throw new AppError('bad-packet', `${name} does not answer at once`);
      thread.answer(true, value);
    } catch (thrown) {
      thread.answer(false, toAppError(thrown).toRecord());
    }
  }

  #settle(id: number, ok: boolean, value: unknown, body: number): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (!pending) throw new AppError('bad-packet', 'an answer to no call');
    if (ok) pending.resolve({ value, body });
    else pending.reject(readError(value));
  }
}
