import { describe, expect, it } from 'vitest';
import { InputQueue, MAX_WAITING } from '../input-queue.ts';

/** A queue whose first event holds up the rest until `release` is called; `ran` has the names of those that had their turn. */
function held() {
  const queue = new InputQueue();
  const ran: string[] = [];
  const { promise, resolve: release } = Promise.withResolvers<void>();
  const first = queue.add(() => promise);
  const add = (name: string, mover?: string): Promise<boolean> => queue.add(async () => void ran.push(name), mover);
  return { queue, ran, first, release, add };
}

describe('the order of the person’s input', () => {
  it('is that in which events came, whatever device they are of', async () => {
    const { ran, release, add } = held();
    const all = [add('key'), add('move', 'mouse'), add('press'), add('turn')];
    expect(ran).toEqual([]);
    release();
    expect(await Promise.all(all)).toEqual([true, true, true, true]);
    expect(ran).toEqual(['key', 'move', 'press', 'turn']);
  });

  it('lets a movement that waits be overtaken by the next one of its device, and by nothing else', async () => {
    const { ran, release, add } = held();
    const all = [
      add('1', 'mouse'),
      add('2', 'mouse'),
      add('3', 'pen'),
      add('4', 'mouse'),
      add('press'),
      add('5', 'mouse'),
    ];
    release();
    expect(await Promise.all(all)).toEqual([false, true, true, true, true, true]);
    expect(ran).toEqual(['2', '3', '4', 'press', '5']);
  });

  it('drops what comes while too much waits, of every device', async () => {
    const { ran, release, add } = held();
    const waiting = Array.from({ length: MAX_WAITING }, (_each, index) => add(String(index), undefined));
    expect(await Promise.all([add('more'), add('move', 'mouse')])).toEqual([false, false]);
    release();
    await Promise.all(waiting);
    expect(ran).toHaveLength(MAX_WAITING);
    expect(await add('later')).toBe(true);
  });

  it('drops what waits when the page is another, and goes on with what comes', async () => {
    const { queue, ran, release, add } = held();
    const waiting = [add('key'), add('press')];
    queue.clear();
    expect(await Promise.all(waiting)).toEqual([false, false]);
    const next = add('next');
    release();
    expect(await next).toBe(true);
    expect(ran).toEqual(['next']);
  });
});
