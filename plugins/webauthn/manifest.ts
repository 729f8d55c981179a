import { PLUGIN_API } from '../../core/contracts/manifest.ts';
import type { Manifest } from '../../core/contracts/manifest.ts';
import * as protocol from './protocol.ts';

export const manifest = {
  id: 'webauthn',
  version: '1.0.0',
  api: PLUGIN_API,
  description: "Lets pages use the passkeys and security keys of the person's own browser, if it allows this service",
  activation: 'first-use',
  protocol,
  slots: ['webauthn.refused'],
  provides: ['webauthn.credential-desk'],
  permissions: { extension: ['webAuthenticationProxy'] },
} as const satisfies Manifest<typeof protocol>;
