import { PLUGIN_API } from '../../core/contracts/manifest.ts';
import type { Manifest } from '../../core/contracts/manifest.ts';
import * as protocol from './protocol.ts';

export const manifest = {
  id: 'permissions',
  version: '1.0.0',
  api: PLUGIN_API,
  description:
    'Asks the person before a page is told where they are, where the policy has pages ask; nothing else is granted',
  activation: 'first-use',
  protocol,
  slots: ['permissions.request'],
  provides: ['permissions.geolocation'],
  permissions: {
    cdp: ['Page.frameStartedNavigating', 'Emulation.setGeolocationOverride', 'Emulation.clearGeolocationOverride'],
  },
  settings: {
    permissions: {
      geolocation: {
        kind: 'allowance',
        fallback: false,
        about: 'Let pages ask people where they are, and tell them when they allow it',
      },
    },
  },
} as const satisfies Manifest<typeof protocol>;
