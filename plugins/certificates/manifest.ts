import { PLUGIN_API } from '../../core/contracts/manifest.ts';
import type { Manifest } from '../../core/contracts/manifest.ts';
import * as protocol from './protocol.ts';

export const manifest = {
  id: 'certificates',
  version: '1.0.0',
  api: PLUGIN_API,
  description: "Shows what is wrong with a site's certificate, and lets people proceed where the policy allows it",
  activation: 'first-use',
  protocol,
  slots: ['certificates.invalid'],
  permissions: {
    cdp: ['Security.visibleSecurityStateChanged', 'Security.enable', 'Security.disable', 'Runtime.evaluate'],
  },
  eventFiles: { decisions: 'What people have decided about invalid certificates: site, error, fingerprint, decision' },
  settings: {
    certificates: {
      accept_invalid: {
        kind: 'allowance',
        fallback: false,
        about:
          'Let people open sites whose certificate is invalid, after a warning; never where the site forbids it (HSTS)',
      },
    },
  },
} as const satisfies Manifest<typeof protocol>;
