import { PLUGIN_API } from '../../core/contracts/manifest.ts';
import type { Manifest } from '../../core/contracts/manifest.ts';
import * as protocol from './protocol.ts';

export const manifest = {
  id: 'form-controls',
  version: '1.0.0',
  api: PLUGIN_API,
  description: 'Shows at a field why the browser does not send its form',
  activation: 'first-use',
  requires: ['vitrine.renderer'],
  protocol,
  slots: ['overlay.notice'],
} as const satisfies Manifest<typeof protocol>;
