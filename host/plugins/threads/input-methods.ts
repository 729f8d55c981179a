import { setTimeout as delay } from 'node:timers/promises';
import * as v from 'valibot';
import { AppError } from '../../../core/protocol/errors.ts';
import { px } from '../../../core/protocol/atoms.ts';
import { targetSchema } from '../../../core/protocol/target.ts';
import type { HostInput, InputTurn } from '../../contracts/tab-input.ts';
import { InputSlots, TURN_MS } from './input-slots.ts';
import type { AddMethod } from './method-table.ts';

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const name = v.pipe(v.string(), v.maxLength(200));
const flag = v.exactOptional(v.boolean());
const kind = v.object({
  isPress: flag,
  isMove: flag,
  pressedAt: v.exactOptional(v.number()),
  patienceMs: v.exactOptional(v.number()),
  at: v.exactOptional(targetSchema),
});
const shift = v.optional(v.nullable(v.object({ x: px, y: px })));
const sendOptions = v.object({
  session: v.exactOptional(count),
  deadlineMs: v.exactOptional(v.pipe(v.number(), v.minValue(1), v.maxValue(600_000))),
});

/**
 * Adds the methods of `scope.input`. A thread names each event by a number of its own, under which it is asked to apply it; `ask` reaches the
 * listener that it has registered for that. Answers with where messages of its devices hold their place.
 */
export function addInputMethods(
  add: AddMethod,
  input: HostInput,
  ask: (listener: number, args: readonly unknown[]) => Promise<unknown>,
): InputSlots {
  const slots = new InputSlots(input);
  const turns = new Map<number, InputTurn>();
  let applier: number | undefined;
  const turnOf = (event: number): InputTurn => {
    const turn = turns.get(event);
    if (!turn) throw new AppError('turn-over', 'the turn of this event is over');
    return turn;
  };

  // Clocks of threads begin when they do. Infinite is null in JSON.
  add('input.gesture', [], () => {
    const { gesture } = input;
    return { isActive: gesture.isActive(), agoMs: performance.now() - gesture.actedAt };
  });
  add('input.place', [targetSchema, shift], (target, by) => input.place(target, by ?? undefined));
  add('input.listen', [count], (listener) => {
    applier = listener;
  });
  const apply = async (event: number, turn: InputTurn): Promise<void> => {
    if (applier === undefined) return;
    turns.set(event, turn);
    try {
      await Promise.race([ask(applier, [event]), delay(TURN_MS, undefined, { ref: false })]);
    } finally {
      turns.delete(event);
    }
  };
  add('input.enqueue', [count, kind, v.optional(v.nullable(count))], (event, of, place) => {
    const held = !place ? undefined : slots.take(place, (turn) => apply(event, turn));
    if (!held) return input.enqueue((turn) => apply(event, turn), of);
    if (of.isPress) void input.enqueue(() => undefined, { isPress: true, ...(of.at && { at: of.at }) }); // the mark alone
    return held;
  });
  add('input.handled', [], () => input.handled());
  add(
    'input.send',
    [count, name, v.record(v.string(), v.unknown()), sendOptions],
    (event, method, params, options) => turnOf(event).send(method as never, params as never, options), // any method: the turn permits it
  );
  add('input.leave', [count, count], (event, frame) => turnOf(event).leave(frame));
  return slots;
}
