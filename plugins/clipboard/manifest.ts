import { PLUGIN_API } from '../../core/plugins/manifest.ts';
import type { Manifest } from '../../core/plugins/manifest.ts';
import * as protocol from './protocol.ts';

export const manifest = {
  id: 'clipboard',
  version: '1.0.0',
  api: PLUGIN_API,
  description:
    "Copies from the page into the person's clipboard and pastes from it into the page, as far as policy lets",
  activation: 'boot',
  protocol,
  slots: ['clipboard.keys', 'overlay.notice'],
  requires: ['vitrine.renderer'],
  provides: ['clipboard.surrogate'],
  permissions: { cdp: ['Input.dispatchKeyEvent'] },
} as const satisfies Manifest<typeof protocol>;
