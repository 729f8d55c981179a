import { PLUGIN_API } from '../../core/contracts/manifest.ts';
import type { Manifest } from '../../core/contracts/manifest.ts';
import * as protocol from './protocol.ts';

export const manifest = {
  id: 'fullscreen',
  version: '1.0.0',
  api: PLUGIN_API,
  description: 'Asks the person before a page uses full screen, and ends it when the person or the page leaves',
  activation: 'first-use',
  protocol,
  slots: ['fullscreen.permission'],
  requires: ['vitrine.renderer'],
  permissions: { cdp: ['Page.createIsolatedWorld', 'Runtime.evaluate'] },
} as const satisfies Manifest<typeof protocol>;
