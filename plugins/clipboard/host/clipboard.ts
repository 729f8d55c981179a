import { token } from '../../../host/plugin.ts';

/** Content of a clipboard, by kind; kinds that it does not have are absent. */
export interface ClipboardContent {
  readonly text?: string;
  readonly html?: string;
  /** Rich Text. It is only written, under both its names: Chromium has none of its own for pages. */
  readonly rtf?: string;
  /** A picture's file: PNG when it is read. */
  readonly picture?: Uint8Array;
}

/** A clipboard while it is used. */
export interface HeldClipboard {
  /** Reads the content that may leave the surrogate: HTML without scripts, a picture that has been encoded anew. Content that is too long is left out. */
  read(): Promise<ClipboardContent>;
  /** Replaces what it holds; nothing given: it is empty then. With Rich Text there can be no picture, which is left out. Pictures may be of any type that the surrogate can show. */
  write(content: ClipboardContent): Promise<void>;
}

/** The clipboard of the person's surrogate: all tabs of the person share it, nobody else's do. */
export interface Clipboard {
  /** Runs alone, once nobody else uses the clipboard. @throws AppError `clipboard-failed`, `extension-page-failed`, `cdp-closed`, or what `run` throws. */
  use<T>(run: (held: HeldClipboard) => Promise<T>): Promise<T>;
  /** It is about to be used: what that takes is got ready. */
  warm(): void;
}

export const clipboardToken = token<Clipboard>('clipboard.surrogate');
