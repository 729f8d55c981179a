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
};
const pending = new Map<number, Pending>();
let last = 0;

world.vitrineSettle = (id, ok, value) => {
  const settled = pending.get(id);
  pending.delete(id);
  if (ok) settled?.resolve(value);
  else settled?.reject(new Error(String(value)));
};

const callOf =
  (plugin: string) =>
  (value: unknown): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (!world.vitrineExtension) throw new Error('The host is not listening.');
      last += 1;
      pending.set(last, { resolve, reject });
      world.vitrineExtension(JSON.stringify({ id: last, plugin, value }));
    });

for (const { id, activate } of registry) activate({ call: callOf(id) });
