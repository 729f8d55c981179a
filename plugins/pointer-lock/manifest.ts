import { PLUGIN_API } from '../../core/contracts/manifest.ts';
import type { Manifest } from '../../core/contracts/manifest.ts';
import * as protocol from './protocol.ts';

export const manifest = {
  id: 'pointer-lock',
  version: '1.0.0',
  api: PLUGIN_API,
  description: 'Locks the pointer of the person together with that of the page, and brings its movement to the page',
  activation: 'first-use',
  protocol,
  requires: ['vitrine.renderer'],
  permissions: { cdp: ['Input.dispatchMouseEvent', 'Page.createIsolatedWorld', 'Runtime.evaluate'] },
  settings: {
    permissions: {
      pointer_lock: {
        kind: 'allowance',
        fallback: true,
        about: 'Let pages lock the pointer of people, as games and maps do; Escape ends it',
      },
    },
  },
} as const satisfies Manifest<typeof protocol>;
