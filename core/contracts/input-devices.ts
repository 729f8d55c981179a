import type { Target } from '../protocol/target.ts';
import type { Renderer, ViewDocument } from './renderer.ts';
import { token } from './token.ts';

/** A document of the view, as a device listens in it. */
export interface DeviceView extends ViewDocument {
  readonly renderer: Renderer;
  /** Aborted when no more input is taken from this document. */
  readonly signal: AbortSignal;
  /** Hears events in the capture phase, before anything of the view, until then. */
  readonly on: <K extends keyof DocumentEventMap>(
    type: K,
    listener: (event: DocumentEventMap[K]) => void,
    options?: { readonly passive?: boolean },
  ) => void;
}

/** Listens to one device in a document of the view, and sends what the person does. */
export type Device = (view: DeviceView) => void;

/** The person's input, device by device. A device sends messages of its own, on the lane `input`; its host half takes them to the page. */
export interface InputDevices {
  /** Adds a device: it is given every document of the view, now and later, as long as input is taken. Answers with the undo. */
  add(device: Device): () => void;
  /** The person has given a control the focus without pressing on it in the page, as one whose picker the view opens by itself. */
  focus(target: Target): void;
}

/** The person's input. */
export const inputToken = token<InputDevices>('vitrine.input');

/** Files that the person pastes, for the plugin that brings files into pages. */
interface PastedFiles {
  /**
   * Takes the files of a paste into a frame. Call it during the event.
   *
   * @param hasPicture whether there is a picture among them that can be pasted without it
   *
   * Returns false where it leaves the paste alone: there are no files, or the picture only.
   */
  take(data: DataTransfer, frame: number, hasPicture: boolean): boolean;
}

/** Files that are pasted; absent where no plugin brings them into pages. */
export const pastedFilesToken = token<PastedFiles>('vitrine.pasted-files');
