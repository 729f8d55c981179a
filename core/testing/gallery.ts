import type { Slots } from '../contracts/slots.ts';
import type { Catalogues, Texts } from '../contracts/texts.ts';
import type { ShellView } from '../overlay/shell-view.ts';

/** Means by which surfaces of the gallery are shown: real slots, texts in the chosen language, the shell's own view. */
export interface GalleryStage {
  readonly slots: Slots;
  readonly texts: Texts;
  readonly shell: ShellView;
  load(catalogues: Catalogues): Promise<void>;
}

/** One surface in one state. `plugins/x/tests/gallery.tsx` and `core/x/tests/gallery.tsx` export them as `surfaces`. */
export interface Surface {
  /** Unique, such as `dialogs.alert`. */
  readonly name: string;
  readonly show: (stage: GalleryStage) => void | Promise<void>;
  /** Keys that are pressed once it is there, for a picture of a later state. */
  readonly keys?: readonly string[];
  /** Selector of what appears, in the page frame or the shell. */
  readonly part: string;
}
