import type { Commands, DeviceView, ParamsOf } from '../../../core/index.ts';
import { modifierFlags } from '../../../core/protocol/input-flags.ts';
import { dragLeave, dragOver, MAX_DRAGGED } from '../protocol.ts';
import type { dropFiles } from '../protocol.ts';
import { entriesOf } from './entries.ts';
import type { Entries } from './entries.ts';

/** Least time between two questions about a place, in ms: browsers fire `dragover` every 50 ms, moved or not. */
const ASK_MS = 100;
/** Time after which files that have left a document are gone, in ms: they may come back, or come over another document. */
const LEAVE_MS = 550;

/** Brings dropped files to a place of the page. Never rejects. */
type Drop = (at: ParamsOf<typeof dropFiles>, entries: Entries) => Promise<void>;

/** Takes files and folders that were dropped where the event says. */
export type DropAt = (event: DragEvent, entries: Entries) => void;

/** Watches files that the person drags over a document of the view. The cursor says whether the page takes them. */
export function watchDrags({ on, renderer, signal }: DeviceView, commands: Commands, drop: Drop): DropAt {
  let isTaken: boolean | undefined;
  let askedAt = -Infinity;
  let isAsking = false;
  let leaving: ReturnType<typeof setTimeout> | undefined;

  const placeOf = (event: DragEvent): ParamsOf<typeof dropFiles> | undefined => {
    const target = renderer.hitTest(event);
    return target && { target, modifiers: modifierFlags(event) };
  };
  const ask = async (event: DragEvent): Promise<void> => {
    const at = placeOf(event);
    if (!at || isAsking || event.timeStamp - askedAt < ASK_MS) return;
    askedAt = event.timeStamp;
    isAsking = true;
    const files = [...(event.dataTransfer?.items ?? [])].filter(({ kind }) => kind === 'file');
    const types = files.slice(0, MAX_DRAGGED).map(({ type }) => type.slice(0, 200));
    try {
      const answer = await commands.call(dragOver, { ...at, types });
      isTaken = answer.isTaken;
    } catch {
      isTaken = false; // the host or the page does not answer
    } finally {
      isAsking = false;
    }
  };
  const dropAt: DropAt = (event, entries) => {
    const at = placeOf(event);
    if (at) void drop(at, entries);
  };
  const forget = (): void => {
    isTaken = undefined;
    askedAt = -Infinity;
  };

  for (const type of ['dragenter', 'dragover'] as const)
    on(type, (event) => {
      const { dataTransfer } = event;
      if (!dataTransfer?.types.includes('Files')) return;
      event.preventDefault(); // the browser would open the file in place of the view
      clearTimeout(leaving);
      dataTransfer.dropEffect = isTaken === false ? 'none' : 'copy';
      void ask(event);
    });
  on('dragleave', (event) => {
    if (event.relatedTarget !== null || !event.dataTransfer?.types.includes('Files')) return; // still inside this document
    clearTimeout(leaving);
    leaving = setTimeout(() => {
      forget();
      if (!signal.aborted) commands.send(dragLeave, {});
    }, LEAVE_MS);
  });
  on('drop', (event) => {
    const { dataTransfer } = event;
    if (!dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    clearTimeout(leaving);
    forget();
    dropAt(event, entriesOf(dataTransfer));
  });
  return dropAt;
}
