/** Services by which one plugin does for the person in a tab what another one has: `scope.services.find(token)`. */
import { token } from '../../core/contracts/token.ts';

/** Opens links of the page. */
export interface PersonLinks {
  /** Whether the policy of the page lets links be opened in tabs and windows now (S-094). Where it does not, `open` tells the person so. */
  mayOpen(): boolean;
  /**
   * Has a frame open an address of the web for the person, in a tab or a window of their browser. Where the frame may not, is gone, or is
   * undefined since its document is, the address is opened as a link of another site.
   */
  open(frame: number | undefined, url: string, place: 'tab' | 'window'): void;
}
export const personLinksToken = token<PersonLinks>('vitrine.person-links');

/** A file that the person saves from a page, whose bytes the host has. Name, address and bytes are hostile. */
export interface SavedFile {
  readonly name: string;
  readonly url: string;
  readonly bytes: Uint8Array;
  /** Of the frame that it is from, whose policy holds besides that of the page and of the file: see `frameAddresses`. */
  readonly addresses: readonly string[];
}

/** Gives files to the person in the way of all downloads. One for all tabs of a person. */
export interface PersonDownloads {
  save(tab: string, file: SavedFile): void;
}
export const personDownloadsToken = token<PersonDownloads>('vitrine.person-downloads');

/** Rules and help for copying and pasting in a tab. */
export interface CopyPaste {
  /** Whether anything may be copied from a frame. */
  mayCopy(frame: number): boolean;
  /** Whether anything at all may be pasted into a frame. */
  mayPaste(frame: number): boolean;
  /** Shows the person by which keys to copy and paste. */
  showKeys(): void;
}
export const copyPasteToken = token<CopyPaste>('vitrine.copy-paste');
