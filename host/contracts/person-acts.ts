/** Services by which one plugin does for the person in a tab what another one has: `scope.services.find(token)`. */
import { token } from '../../core/contracts/token.ts';

/** Opens links of the page. */
export interface PersonLinks {
  /** Has a frame open an address of the web for the person, in a tab or a window of their browser. */
  open(frame: number, url: string, place: 'tab' | 'window'): void;
}
export const personLinksToken = token<PersonLinks>('vitrine.person-links');

/** Rules and help for copying and pasting in a tab. */
export interface CopyPaste {
  mayCopy(): boolean;
  /** Whether anything at all may be pasted. */
  mayPaste(): boolean;
  /** Shows the person by which keys to copy and paste. */
  showKeys(): void;
}
export const copyPasteToken = token<CopyPaste>('vitrine.copy-paste');
