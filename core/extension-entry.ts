/** The service worker of the surrogate's extension: runs all extension halves, and forwards their calls to the host through a binding. */
import { registry } from 'virtual:extension-registry';

interface Pending {
  resolve(value: unknown): void;
  reject(fault: Error): void;
}

const world = globalThis as typeof globalThis & {
  /** The host's binding, present while it listens. */
  readonly vitrineExtension?: (json: string) => void;
  /** Called by the host with the answer to a call. */
  vitrineSettle?: (id: number, ok: boolean, value: unknown) => void;
  /** Asked by the host before it ends the worker: time since the last call or answer, in ms; 0 while an answer is due. */
  vitrineIdleMs?: () => number;
};
const pending = new Map<number, Pending>();
let last = 0;
let activeAt = performance.now();

world.vitrineIdleMs = () => (pending.size > 0 ? 0 : performance.now() - activeAt);

world.vitrineSettle = (id, ok, value) => {
  const settled = pending.get(id);
  pending.delete(id);
  activeAt = performance.now();
  if (ok) settled?.resolve(value);
  else settled?.reject(new Error(String(value)));
};

const callOf =
  (plugin: string) =>
  (value: unknown): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (!world.vitrineExtension) throw new Error('The host is not listening.');
      last += 1;
      activeAt = performance.now();
      pending.set(last, { resolve, reject });
      world.vitrineExtension(JSON.stringify({ id: last, plugin, value }));
    });

for (const { id, activate } of registry) activate({ call: callOf(id) });
