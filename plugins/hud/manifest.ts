import { PLUGIN_API } from '../../core/contracts/manifest.ts';
import type { Manifest } from '../../core/contracts/manifest.ts';
import * as protocol from './protocol.ts';

export const manifest = {
  id: 'hud',
  version: '1.0.0',
  api: PLUGIN_API,
  description:
    'Shows diagnostics of the session: graphs, an overlay on the page, and the comparator mode, each with a debug key',
  capability: 'debug_hud',
  activation: 'idle',
  protocol,
  slots: ['overlay.panel'],
  requires: ['vitrine.renderer'],
  settings: {
    client_capabilities: {
      debug_hud: {
        kind: 'allowance',
        fallback: false,
        about: 'Let people see diagnostics of the session, by debug keys',
      },
    },
  },
} as const satisfies Manifest<typeof protocol>;
