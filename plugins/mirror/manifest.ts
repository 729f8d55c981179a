import { PLUGIN_API } from '../../core/contracts/manifest.ts';
import type { Manifest } from '../../core/contracts/manifest.ts';
import * as protocol from './protocol.ts';

export const manifest = {
  id: 'mirror',
  version: '1.0.0',
  api: PLUGIN_API,
  description: 'Shows the page by rebuilding its document in the view',
  activation: 'boot',
  protocol,
  provides: ['vitrine.renderer'],
  settings: {
    site_capabilities: {
      allow_client_canvas_src: {
        kind: 'allowance',
        fallback: true,
        about: 'Let pictures of canvases reach the browser',
      },
    },
  },
  permissions: { cdp: ['CSS.*', 'DOM.*', 'Page.getResourceContent', 'Page.*', 'Network.*'] },
} as const satisfies Manifest<typeof protocol>;
