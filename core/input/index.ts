/** Input: what the person does in the view, on its way to the surrogate (S-001). */
import type { Device, InputDevices } from '../contracts/input-devices.ts';
import type { Renderer, ViewDocument } from '../contracts/renderer.ts';
import type { Commands } from '../contracts/scope.ts';
import { edited, focused, scrolled } from '../protocol/core-messages.ts';

/** The person's input in one session. */
interface Input extends InputDevices {
  /** Takes input from now on, of every view document, now and later. Runs once the renderer is there. */
  readonly start: (renderer: Renderer) => void;
  /** Takes no more input, of no device (S-076). */
  readonly stop: () => void;
}

/** Opens the input of a session: its devices, and what the view itself reports, scrolling and native edits. */
export function openInput({ send }: Pick<Commands, 'send'>): Input {
  const devices = new Map<Device, (() => void) | undefined>();
  let renderer: Renderer | undefined;
  let reports: (() => void)[] = [];
  const open = (device: Device): unknown => devices.set(device, renderer && listen(renderer, device));
  const close = (device: Device): void => {
    devices.get(device)?.();
    devices.delete(device);
  };
  return {
    add: (device) => {
      open(device);
      return () => close(device);
    },
    focus: (target) => send(focused, { target }),
    start: (found) => {
      renderer = found;
      for (const device of devices.keys()) open(device);
      reports = [
        found.onScroll((target, left, top) => send(scrolled, { target, left, top })),
        found.onEdit(({ target, value }) => send(edited, { target, value })),
      ];
    },
    stop: () => {
      renderer = undefined;
      for (const device of devices.keys()) close(device);
      for (const undo of reports) undo();
    },
  };
}

/** Lets a device listen in every document of the view. Answers with its undo. */
function listen(renderer: Renderer, device: Device): () => void {
  return renderer.documents(({ document, frame }: ViewDocument) => {
    const ending = new AbortController();
    const { signal } = ending;
    device({
      document,
      frame,
      renderer,
      signal,
      on: (type, listener, options) => document.addEventListener(type, listener, { ...options, capture: true, signal }),
    });
    return () => ending.abort();
  });
}
