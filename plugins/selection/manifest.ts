import { PLUGIN_API } from '../../core/contracts/manifest.ts';
import type { Manifest } from '../../core/contracts/manifest.ts';
import * as protocol from './protocol.ts';

export const manifest = {
  id: 'selection',
  version: '1.0.0',
  api: PLUGIN_API,
  description: 'Selects in the page what the person has selected in the view by other means than mouse and keys',
  capability: 'selection',
  activation: 'idle',
  requires: ['vitrine.renderer'],
  protocol,
} as const satisfies Manifest<typeof protocol>;
