import { AppError, toAppError } from '../../../core/protocol/errors.ts';
import type { AnyManifest } from '../../../core/contracts/manifest.ts';
import type { HostScope } from '../../plugin.ts';
import { PluginThread } from './plugin-thread.ts';
import { scopeMethods } from './scope-methods.ts';
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
  readonly #pending = new Map<number, { resolve(value: unknown): void; reject(fault: AppError): void }>();
  #methods: ReturnType<typeof scopeMethods> = new Map();
  #asked = 0;

  constructor(scope: HostScope, manifest: AnyManifest, onFault: (fault: AppError) => void) {
    this.#scope = scope;
    this.#manifest = manifest;
    this.#onFault = onFault;
  }

  start(thread: PluginThread): void {
    this.#methods = scopeMethods(this.#scope, this.#manifest, {
      tell: (listener, args) => thread.send(['call', 0, listener, args]),
      ask: (listener, args) =>
        new Promise((resolve, reject) => {
          if (this.#pending.size >= MAX_PENDING)
            throw new AppError('too-many-calls', 'too many calls are waiting', { retryable: true });
          const id = (this.#asked += 1);
          this.#pending.set(id, { resolve, reject });
          thread.send(['call', id, listener, args]);
        }),
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
        this.#settle(message[1], message[2], message[3]);
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

  close(reason: AppError): void {
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
      const value = await this.#call(name, args);
      if (id !== 0) thread.send(['settle', id, true, value ?? null]);
    } catch (thrown) {
      const fault = toAppError(thrown);
      if (id === 0) this.#onFault(fault);
      else thread.send(['settle', id, false, fault.toRecord()]);
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

  #settle(id: number, ok: boolean, value: unknown): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (!pending) throw new AppError('bad-packet', 'an answer to no call');
    if (ok) pending.resolve(value);
    else pending.reject(readError(value));
  }
}
