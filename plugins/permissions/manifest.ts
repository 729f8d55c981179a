import { PLUGIN_API } from '../../core/contracts/manifest.ts';
import type { Manifest } from '../../core/contracts/manifest.ts';
import * as protocol from './protocol.ts';

export const manifest = {
  id: 'permissions',
  version: '1.0.0',
  api: PLUGIN_API,
  description:
    'Asks the person before a page gets their location, where the policy lets pages ask; nothing else is granted',
  activation: 'first-use',
  protocol,
  slots: ['overlay.notice', 'permissions.request'],
  provides: ['permissions.geolocation', 'permissions.refusals'],
  permissions: {
    cdp: ['Page.frameStartedNavigating', 'Emulation.setGeolocationOverride', 'Emulation.clearGeolocationOverride'],
  },
  verbs: ['decisions'],
  metrics: { requests: 'Requests of pages that people were asked about' },
  eventFiles: { decisions: 'What people have decided about requests of pages: site, permission, decision' },
  settings: {
    permissions: {
      geolocation: {
        kind: 'allowance',
        fallback: false,
        about: 'Let pages ask for the location of people, and give it to pages that they allow',
      },
    },
  },
} as const satisfies Manifest<typeof protocol>;
