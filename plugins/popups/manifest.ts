import { PLUGIN_API } from '../../core/contracts/manifest.ts';
import type { Manifest } from '../../core/contracts/manifest.ts';
import * as protocol from './protocol.ts';

export const manifest = {
  id: 'popups',
  version: '1.0.0',
  api: PLUGIN_API,
  description: 'Shows windows that a page opens, and links that the person opens in a new tab, in tabs of their own',
  activation: 'idle',
  protocol,
  slots: ['popups.open', 'overlay.notice'],
  requires: ['vitrine.renderer'],
  provides: ['vitrine.person-links'],
  permissions: {
    cdp: ['DOM.describeNode', 'DOM.getFrameOwner', 'Page.createIsolatedWorld', 'Page.windowOpen', 'Runtime.evaluate'],
  },
} as const satisfies Manifest<typeof protocol>;
