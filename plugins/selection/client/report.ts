import type { ClientScope, Editing, Renderer, ViewSelection } from '../../../core/index.ts';
import { selection } from '../protocol.ts';
import type { Selected } from '../protocol.ts';

/**
 * Time after a key or a press in which the page makes the same selection by itself, in ms. The view may take a change within a second
 * of that for the person's, and keeps it for another one against the page's: until then what differs may only be late.
 */
const OWN_MS = 2100;

/** Events of what goes to the page by itself, and makes a selection there. */
const INPUT = [
  ...(['keydown', 'keyup', 'pointerdown', 'pointerup', 'pointercancel', 'mouseup', 'beforeinput'] as const),
  ...(['wheel', 'touchmove', 'paste', 'drop'] as const),
];

/** Reports selections in the view that are not the page's, from now on; `press`: the last pointer event of a press or release, if any. */
export function reportSelections(scope: ClientScope, renderer: Renderer, editing: Editing, press?: Event): void {
  const reporter = new Reporter(scope, editing);
  if (press) reporter.acted(press);
  scope.onDispose(
    renderer.documents(({ document }) => {
      const ending = new AbortController();
      const options = { capture: true, passive: true, signal: ending.signal };
      for (const type of INPUT) document.addEventListener(type, (event) => reporter.acted(event), options);
      document.addEventListener('selectionchange', () => reporter.changed(document), options);
      reporter.changed(document);
      return () => {
        ending.abort();
        reporter.leave(document);
      };
    }),
  );
}

/** Reports at most one selection per animation frame, and none before the page has answered the last one. */
class Reporter {
  readonly #scope: ClientScope;
  readonly #editing: Editing;
  /** The document whose selection has changed last. */
  #changed: Document | undefined;
  #actedAt = -Infinity;
  #isHeld = false;
  #isAsking = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The report that the page has refused: it is not asked again for the same. */
  #refused = '';

  constructor(scope: ClientScope, editing: Editing) {
    this.#scope = scope;
    this.#editing = editing;
  }

  /** Called with the person's keys and presses. */
  acted(event: Event): void {
    this.#actedAt = performance.now();
    if (event.type === 'pointerdown') this.#isHeld = true;
    else if (event.type.endsWith('up') || event.type === 'pointercancel') this.#isHeld = false;
    if (this.#changed) this.#wait();
  }

  changed(document: Document): void {
    this.#changed = document;
    this.#wait();
  }

  leave(document: Document): void {
    if (this.#changed === document) this.#changed = undefined;
  }

  #wait(): void {
    clearTimeout(this.#timer);
    const left = this.#actedAt + OWN_MS - performance.now();
    if (left > 0) this.#timer = setTimeout(() => this.#wait(), left);
    else requestAnimationFrame(() => void this.#report());
  }

  async #report(): Promise<void> {
    const document = this.#changed;
    if (!document || this.#isAsking || this.#isHeld) return; // each of them waits again when it is over
    this.#changed = undefined;
    const found = this.#editing.selection(document);
    if (!found) return;
    const selected = reportOf(found);
    const name = JSON.stringify(selected);
    if (name === this.#refused) return;
    this.#isAsking = true;
    const why = await this.#scope.commands.call(selection, { frame: found.frame, selected }).then(
      (answer) => answer.why,
      () => 'channel' as const,
    );
    this.#isAsking = false;
    this.#refused = why === '' ? '' : name;
    if (why !== '') this.#scope.events.report('tc-sel-range-error', { mode: selected.mode, why }, { level: 'warning' });
    this.#again();
  }

  /** Reports a selection that was made meanwhile. */
  #again(): void {
    if (this.#changed) this.#wait();
  }
}

/** A selection of the view as a report (S-044). */
export function reportOf({ epoch, what }: ViewSelection): Selected {
  if (what === 'nothing') return { mode: 'clearselection', epoch };
  if (what === 'caret') return { mode: 'clear', epoch };
  if ('control' in what)
    return { mode: 'input', epoch, uid: what.control, selection_start: what.start, selection_end: what.end };
  const { anchor, focus, isBackward, active } = what;
  const [start, end] = isBackward ? [focus, anchor] : [anchor, focus];
  return {
    mode: 'range',
    epoch,
    start_container: start[0],
    end_container: end[0],
    start_offset: start[1],
    end_offset: end[1],
    active_element: active,
    is_backward: isBackward,
  };
}
