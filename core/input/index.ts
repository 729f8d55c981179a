/** Input: what the person does in the view, on its way to the surrogate (S-001). */
import type { Device, InputDevices } from '../contracts/input-devices.ts';
import type { Renderer } from '../contracts/renderer.ts';
import type { Commands } from '../contracts/scope.ts';
import { edited, focused, scrolled } from '../protocol/core-messages.ts';

/** The person's input in one session. */
interface Input extends InputDevices {
  /** Takes input of every view document, now and later. Call it once the renderer is there; a second call does nothing. */
  readonly start: (renderer: Renderer) => void;
  /** Takes no more input, of no device (S-076). */
  readonly stop: () => void;
}

/** Runs while input is taken; answers with its undo. */
type Part = (renderer: Renderer) => () => void;

/** Opens the input of a session: its devices, and what the view itself reports, scrolling and native edits. */
export function openInput(commands: Pick<Commands, 'send'>): Input {
  const parts = new Map<Part, (() => void) | undefined>();
  let renderer: Renderer | undefined;
  const add = (part: Part): (() => void) => {
    parts.set(part, renderer && part(renderer));
    return () => {
      parts.get(part)?.();
      parts.delete(part);
    };
  };
  add((view) => view.onScroll((target, left, top) => commands.send(scrolled, { target, left, top })));
  add((view) => view.onEdit((edit) => commands.send(edited, edit)));
  return {
    add: (device) => add((view) => listen(view, device)),
    focus: (target) => commands.send(focused, { target }),
    start: (found) => {
      if (renderer === found) return;
      renderer = found;
      for (const part of parts.keys()) parts.set(part, part(found));
    },
    stop: () => {
      renderer = undefined;
      for (const undo of parts.values()) undo?.();
      parts.clear();
    },
  };
}

/** Lets a device listen in every document of the view. Answers with its undo. */
function listen(renderer: Renderer, device: Device): () => void {
  return renderer.documents((view) => {
    const ending = new AbortController();
    const { signal } = ending;
    device({
      ...view,
      renderer,
      signal,
      on: (type, listener, options) =>
        view.document.addEventListener(type, listener, { ...options, capture: true, signal }),
    });
    return () => ending.abort();
  });
}
