/** Services that the core provides to the host halves of a tab: `scope.services.get(token)`. */
import { token } from '../../core/contracts/token.ts';
import type { SystemFonts } from '../fonts/system-fonts.ts';

/** The fonts of the surrogate's machine. */
export const systemFontsToken = token<SystemFonts>('vitrine.system-fonts');
