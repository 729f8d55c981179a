import { PLUGIN_API } from '../../core/contracts/manifest.ts';
import type { Manifest } from '../../core/contracts/manifest.ts';
import * as protocol from './protocol.ts';

export const manifest = {
  id: 'find',
  version: '1.0.0',
  api: PLUGIN_API,
  description: 'Finds text in the page: a bar in the browser, the search in the surrogate',
  capability: 'find',
  activation: 'first-use',
  requires: ['vitrine.renderer'],
  protocol,
  slots: ['overlay.panel'],
  hooks: ['tabActions'],
  permissions: { cdp: ['Input.dispatchKeyEvent'] },
} as const satisfies Manifest<typeof protocol>;
