import type { ActivateSession } from '../../../host/plugin.ts';
import { clipboardToken } from './clipboard.ts';
import { SurrogateClipboard } from './surrogate-clipboard.ts';

/** Any page of the extension does: this one has no script of its own. */
const PAGE = 'manifest.json';

/** Provides the clipboard of the person's surrogate to the host halves of all their tabs. */
export const activateSession: ActivateSession = ({ surrogate, services, onDispose }) => {
  const permissions = ['clipboard-read', 'clipboard-write'];
  const clipboard = new SurrogateClipboard(() => surrogate.openExtensionPage(PAGE, { permissions }));
  onDispose(() => clipboard.dispose());
  services.provide(clipboardToken, clipboard);
};
