import { AsyncLocalStorage } from 'node:async_hooks';
import type { HostInput, InputTurn, Place } from '../../contracts/tab-input.ts';
import type { ThreadWire } from './thread-wire.ts';

/** The place in the order of the person's input that the message holds which is being handled. */
const held = new AsyncLocalStorage<unknown>();

/** Handles a message that holds a place, if it does: what is enqueued meanwhile takes it. */
export function inPlace<T>(place: unknown, handle: () => T): T {
  return place === undefined ? handle() : held.run(place, handle);
}

/** The person's input for a host half that runs in a thread: events wait there, and are applied when the host says that it is their turn. */
export function threadInput(wire: ThreadWire, onDispose: (undo: () => void) => void): HostInput {
  const events = new Map<number, Parameters<HostInput['enqueue']>[0]>();
  let last = 0;
  let isListening = false;
  // Answers of the host are trusted, and have the types of the host's side.
  const gesture = (): { readonly isActive: boolean; readonly agoMs: number | null } =>
    wire.sync('input.gesture') as never;

  const apply = async ([event]: readonly unknown[]): Promise<void> => {
    await events.get(event as number)?.(turnOf(event as number)); // the number that it was enqueued under
  };
  const turnOf = (event: number): InputTurn => ({
    send: (method, params, options = {}) => {
      const sent = wire.ask('input.send', event, method, params ?? {}, options).then(() => undefined);
      sent.catch(() => undefined); // its caller gets the error
      return sent;
    },
    leave: (frame) => wire.invoke('input.leave', event, frame),
  });

  return {
    gesture: {
      isActive: () => gesture().isActive,
      get actedAt() {
        return performance.now() - (gesture().agoMs ?? Infinity);
      },
    },
    place: async (target, shift) => ((await wire.ask('input.place', target, shift)) ?? undefined) as Place | undefined,
    handled: async () => {
      await wire.ask('input.handled');
    },
    enqueue: async (run, kind = {}) => {
      if (!isListening) onDispose(wire.listen(apply, (id) => wire.sync('input.listen', id)));
      isListening = true;
      const event = (last += 1);
      events.set(event, run);
      try {
        return (await wire.ask('input.enqueue', event, kind, held.getStore())) === true;
      } finally {
        events.delete(event);
      }
    },
  };
}
