import { expect, it } from 'vitest';
import { AppError } from '../../../../core/protocol/errors.ts';
import type { HostInput, InputTurn } from '../../../contracts/tab-input.ts';
import { dragFiles } from '../file-drag.ts';

const AT = { frame: 1, x: 5, y: 6 };

/** A drag over a page whose places are those of their frames' sessions; `takes` is what the page answers. */
function start({ takes = true, hangs = false } = {}) {
  const sent: string[] = [];
  const turn: InputTurn = {
    send: async (method, params, { session = 0 } = {}) => {
      expect(method).toBe('Input.dispatchDragEvent');
      const { type, x, y, data } = params as { type: string; x: number; y: number; data: object };
      expect(data).toEqual({ items: [], files: ['/up/a', '/up/folder'], dragOperationsMask: 1 });
      if (hangs) throw new AppError('cdp-timeout', 'it hangs');
      sent.push(`${type} ${x} ${y} in ${session}`);
    },
    leave: () => undefined,
  };
  const input: HostInput = {
    gesture: { isActive: () => true, actedAt: 0 },
    place: async ({ frame, x, y }) =>
      frame === 9 ? undefined : { session: frame, x, y, shift: { x: 0, y: 0 }, isOnScrollBar: false },
    enqueue: async (apply) => {
      await Promise.resolve(apply(turn)).catch(() => undefined); // as PageInput
      return true;
    },
    handled: async () => undefined,
  };
  const asked: number[] = [];
  const drag = dragFiles({ of: () => input }, ['/up/a', '/up/folder'], async (frame) => {
    asked.push(frame);
    return takes;
  });
  return { drag, sent, asked };
}

it('enters once, moves, and drops where the page takes the files', async () => {
  const { drag, sent, asked } = start();
  expect(await drag.over(AT, 0)).toBe(true);
  expect(await drag.over({ ...AT, x: 7 }, 0)).toBe(true);
  expect(await drag.drop(AT, 0)).toBe(true);
  await drag.leave(); // there is nothing over it any more
  const steps = ['dragEnter 5 6', 'dragOver 5 6', 'dragOver 7 6', 'dragOver 5 6', 'drop 5 6'];
  expect(sent).toEqual(steps.map((step) => `${step} in 1`));
  expect(asked).toEqual([1, 1, 1]);
});

it('drops nothing where the page takes none: it hears that they are gone', async () => {
  const { drag, sent } = start({ takes: false });
  expect(await drag.drop(AT, 0)).toBe(false);
  expect(sent).toEqual(['dragEnter 5 6 in 1', 'dragOver 5 6 in 1', 'dragCancel 5 6 in 1']);
});

it('leaves the session of a frame before it enters that of another', async () => {
  const { drag, sent } = start();
  await drag.over(AT, 0);
  await drag.over({ ...AT, frame: 2 }, 0);
  await drag.leave();
  expect(sent.map((each) => each.replace(' 5 6', ''))).toEqual([
    'dragEnter in 1',
    'dragOver in 1',
    'dragCancel in 1',
    'dragEnter in 2',
    'dragOver in 2',
    'dragCancel in 2',
  ]);
});

it('is taken by no page that hangs, and by no frame that is gone', async () => {
  expect(await start({ hangs: true }).drag.drop(AT, 0)).toBe(false);
  const { drag, sent } = start();
  expect(await drag.over({ ...AT, frame: 9 }, 0)).toBe(false);
  expect(sent).toEqual([]);
});
