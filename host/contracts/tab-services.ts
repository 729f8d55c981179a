/** Services that the core provides to the host halves of a tab: `scope.services.get(token)`. */
import { token } from '../../core/contracts/token.ts';
import type { SystemFonts } from '../fonts/system-fonts.ts';

/** The fonts of the surrogate's machine. */
export const systemFontsToken = token<SystemFonts>('vitrine.system-fonts');

/** The windows that the tab's page has opened. */
export interface ClosesWindows {
  /** Closes one by its token, whether a tab shows it or not. Does nothing for one that is not this page's, or is closed already. */
  close(token: string): void;
}
export const openedWindowsToken = token<ClosesWindows>('vitrine.opened-windows');
