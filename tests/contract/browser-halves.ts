/** Runs in a browser: activates client and page halves and tells what they have done, and what they leave behind. */
import { Bus } from '../../core/kernel/bus.ts';
import { FrameKernel } from '../../core/kernel/kernel.ts';
import { createPageScope } from '../../core/kernel/scope.ts';
import type { ActivateClient } from '../../core/index.ts';
import type { ActivatePage, Kernel } from '../../core/page.ts';
import { messagesOf } from '../../core/contracts/manifest.ts';
import type { AnyManifest } from '../../core/contracts/manifest.ts';
import type { AnyMessage, Message } from '../../core/protocol/message.ts';
import { PAGE_MESSAGES } from '../../core/protocol/page-messages.ts';
import { pluginHarness } from '../../core/testing/harness.ts';
import { Watch } from './watch.ts';
import type { Watched } from './watch.ts';

/** To no main half. */
const NO_LINE = { send: () => false, on: () => () => undefined };

/** A half of a plugin. */
interface BuiltHalf {
  readonly manifest: AnyManifest;
  readonly activate: unknown;
}

/** Report of a half after activation, and after disposal. */
export interface Activated extends Watched {
  readonly provided: readonly string[];
  readonly faults: readonly string[];
}
export interface Left {
  readonly late: readonly string[];
  readonly handled: readonly string[];
  readonly provided: readonly string[];
  readonly filled: number;
  readonly kernel: number;
}

/** Functions in the page that tests call. */
export interface Contract {
  activate(half: 'client' | 'page', id: string): Promise<Activated>;
  dispose(): Left;
}

type Running = { readonly activated: Activated; readonly dispose: () => Left };

function isHandled(handle: (message: Message<never, never>, handler: () => never) => () => void, message: AnyMessage) {
  try {
    handle(message as unknown as Message<never, never>, () => undefined as never)();
    return false;
  } catch {
    return true;
  }
}

/** Stands for a service of another plugin: whatever is called answers with an undo. */
function standIn(): unknown {
  const undo = (): undefined => undefined;
  // It is a function that undoes something, and an object with such methods, whichever a plugin expects; it is no promise.
  const answer = new Proxy(undo, { get: (_, key) => (key === 'then' ? undefined : () => undo) });
  return new Proxy({}, { get: () => () => answer });
}

async function client({ manifest, activate }: BuiltHalf): Promise<Running> {
  const harness = pluginHarness(manifest);
  const { client: scope, clientServices: services } = harness;
  const ofCore = services.names();
  for (const name of manifest.requires ?? []) if (!ofCore.includes(name)) services.provide({ name }, standIn());
  const before = services.names();
  const watch = new Watch();
  const provided = (): string[] => services.names().filter((name) => !before.includes(name));
  await (activate as ActivateClient)({
    ...scope,
    commands: { ...scope.commands, handle: watch.handle(scope.commands.handle) },
    hooks: { tap: watch.tap(scope.hooks.tap) },
    services: { ...scope.services, get: watch.ask(scope.services.get), find: watch.ask(scope.services.find) },
  });
  return {
    activated: { ...watch.seen, provided: provided(), faults: harness.faults.map(({ message }) => message) },
    dispose: () => {
      harness.disposeClient();
      watch.over = true;
      const { ready, pageChanged, detached } = harness.clientHooks;
      ready.call({ url: '' });
      pageChanged.call({ url: '' });
      detached.call({ reason: '' });
      return {
        late: watch.seen.late,
        handled: messagesOf(manifest)
          .filter((message) => isHandled(scope.commands.handle, message))
          .map(({ name }) => name),
        provided: provided(),
        filled: harness.overlay.filled.length + harness.overlay.asked.length,
        kernel: 0,
      };
    },
  };
}

/** The kernel, with its undos counted. */
function counted(kernel: FrameKernel): { readonly kernel: Kernel; readonly live: () => number } {
  let live = 0;
  const counting = ['listen', 'onFlush', 'onPoll'];
  const proxy = new Proxy(kernel, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]) => {
        const answer: unknown = value.apply(target, given);
        if (!counting.includes(String(name))) return answer;
        live += 1;
        let isUndone = false;
        return () => {
          if (!isUndone) live -= 1;
          isUndone = true;
          (answer as () => void)();
        };
      };
    },
  });
  return { kernel: proxy, live: () => live };
}

function page({ manifest, activate }: BuiltHalf): Running {
  const faults: string[] = [];
  const onFault = ({ message }: Error): void => void faults.push(message);
  const bus = new Bus(PAGE_MESSAGES, onFault);
  bus.know(messagesOf(manifest), manifest.id);
  const { kernel, live } = counted(new FrameKernel(onFault));
  const { scope, dispose } = createPageScope(manifest.id, bus.endpoint, { kernel, line: NO_LINE }, onFault);
  const watch = new Watch();
  (activate as ActivatePage)({
    ...scope,
    commands: { ...scope.commands, handle: watch.handle(scope.commands.handle) },
  });
  return {
    activated: { ...watch.seen, provided: [], faults },
    dispose: () => {
      dispose();
      const handled = messagesOf(manifest).filter(({ name }) => bus.endpoint.handles(name));
      return { late: [], handled: handled.map(({ name }) => name), provided: [], filled: 0, kernel: live() };
    },
  };
}

/** Offers the halves that were built into this page. */
export function offer(halves: Readonly<Record<'client' | 'page', readonly BuiltHalf[]>>): void {
  let running: Running | undefined;
  const contract: Contract = {
    activate: async (half, id) => {
      const built = halves[half].find(({ manifest }) => manifest.id === id);
      if (!built) throw new Error(`${id} has no ${half} half here`);
      running = half === 'client' ? await client(built) : page(built);
      return running.activated;
    },
    dispose: () => {
      if (!running) throw new Error('nothing is active');
      return running.dispose();
    },
  };
  Object.assign(globalThis, { contract, vitrineSend: () => undefined });
}
