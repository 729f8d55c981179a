import { cdpModifiers } from '../../../core/protocol/input-flags.ts';
import type { Target } from '../../../core/protocol/target.ts';
import type { FileDrag } from '../../contracts/surrogate-files.ts';
import type { InputTurn, Place } from '../../contracts/tab-input.ts';
import type { PageInput } from '../input/page-input.ts';

const METHOD = 'Input.dispatchDragEvent';
/** Bit of copying among the operations that the source of a drag allows. */
const COPY = 1;
/** A page that does not answer a drag within this time shows a dialog or hangs, in ms. */
const DEADLINE_MS = 3000;

type DragType = 'dragEnter' | 'dragOver' | 'drop' | 'dragCancel';

/** Begins a drag of files that the surrogate's browser may read: it lets the renderer read them as well. See {@link FileDrag}. */
export function dragFiles(
  page: Pick<PageInput, 'of'>,
  files: readonly string[],
  isTaken: (frame: number) => Promise<boolean>,
): FileDrag {
  const data = { items: [], files: [...files], dragOperationsMask: COPY };
  const input = page.of({
    plugin: 'host',
    permissions: [METHOD],
    signal: new AbortController().signal,
    onFault: () => undefined, // the page hangs, or is gone
  });
  /** Where they were last. */
  let last: Place | undefined;

  const send = (turn: InputTurn, type: DragType, { session, x, y }: Place, modifiers = 0): Promise<void> =>
    turn.send(METHOD, { type, x, y, data, modifiers: cdpModifiers(modifiers) }, { session, deadlineMs: DEADLINE_MS });
  const leave = async (turn: InputTurn): Promise<void> => {
    const from = last;
    last = undefined;
    if (from) await send(turn, 'dragCancel', from);
  };
  const move = async (turn: InputTurn, at: Target, modifiers: number): Promise<boolean> => {
    const place = await input.place(at);
    if (!place) return false;
    if (last && last.session !== place.session) await leave(turn);
    if (!last) await send(turn, 'dragEnter', place, modifiers);
    last = place;
    await send(turn, 'dragOver', place, modifiers);
    return isTaken(at.frame);
  };
  /** Runs in the order of the person's input. */
  const inTurn = async (act: (turn: InputTurn) => Promise<boolean>): Promise<boolean> => {
    let answer = false;
    await input.enqueue(async (turn) => {
      answer = await act(turn);
    });
    return answer;
  };

  return {
    over: (at, modifiers) => inTurn((turn) => move(turn, at, modifiers)),
    drop: (at, modifiers) =>
      inTurn(async (turn) => {
        const taken = await move(turn, at, modifiers).catch(async (thrown: unknown) => {
          await leave(turn); // the page would wait for the drop
          throw thrown;
        });
        if (taken && last) await send(turn, 'drop', last, modifiers);
        else await leave(turn);
        last = undefined;
        return taken;
      }),
    leave: async () => {
      await inTurn(async (turn) => {
        await leave(turn);
        return false;
      });
    },
  };
}
