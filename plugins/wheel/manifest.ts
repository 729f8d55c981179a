import { PLUGIN_API } from '../../core/contracts/manifest.ts';
import type { Manifest } from '../../core/contracts/manifest.ts';
import * as protocol from './protocol.ts';

export const manifest = {
  id: 'wheel',
  version: '1.0.0',
  api: PLUGIN_API,
  description: 'Brings turns of the wheel to the page, where the view does not scroll by itself',
  activation: 'boot',
  protocol,
  permissions: { cdp: ['Input.dispatchMouseEvent'] },
} as const satisfies Manifest<typeof protocol>;
