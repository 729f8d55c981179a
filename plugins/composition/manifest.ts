import { PLUGIN_API } from '../../core/contracts/manifest.ts';
import type { Manifest } from '../../core/contracts/manifest.ts';
import * as protocol from './protocol.ts';

export const manifest = {
  id: 'composition',
  version: '1.0.0',
  api: PLUGIN_API,
  description: 'Brings what an input method composes to the page step by step, and edits without keys',
  capability: 'composition',
  activation: 'idle',
  requires: ['vitrine.renderer'],
  protocol,
  metrics: {
    replaced: 'Places of texts that the person’s browser has replaced in the page without a key',
    unmatched: 'Such places that the page did not have any more',
  },
  permissions: { cdp: ['Input.dispatchKeyEvent', 'Input.imeSetComposition', 'Input.insertText'] },
} as const satisfies Manifest<typeof protocol>;
