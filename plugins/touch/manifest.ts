import { PLUGIN_API } from '../../core/contracts/manifest.ts';
import type { Manifest } from '../../core/contracts/manifest.ts';
import * as protocol from './protocol.ts';

export const manifest = {
  id: 'touch',
  version: '1.0.0',
  api: PLUGIN_API,
  description: 'Brings fingers to the page, on devices without a mouse',
  activation: 'boot',
  protocol,
  permissions: { cdp: ['Input.dispatchTouchEvent'] },
} as const satisfies Manifest<typeof protocol>;
