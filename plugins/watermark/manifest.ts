import { PLUGIN_API } from '../../core/contracts/manifest.ts';
import type { Manifest } from '../../core/contracts/manifest.ts';
import * as protocol from './protocol.ts';

export const manifest = {
  id: 'watermark',
  version: '1.0.0',
  api: PLUGIN_API,
  description: 'Lays a faint text over the page, where policy has one: who looks at it, and when',
  activation: 'first-use',
  protocol,
} as const satisfies Manifest<typeof protocol>;
