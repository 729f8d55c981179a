import { PLUGIN_API } from '../../core/contracts/manifest.ts';
import type { Manifest } from '../../core/contracts/manifest.ts';
import * as protocol from './protocol.ts';

export const manifest = {
  id: 'http-auth',
  version: '1.0.0',
  api: PLUGIN_API,
  description: 'Asks the person for the name and password that a site demands by HTTP authentication',
  activation: 'first-use',
  protocol,
  slots: ['http-auth.challenge'],
  provides: ['http-auth.challenges'],
  permissions: { extension: ['webRequest', 'webRequestAuthProvider'] },
  metrics: { challenges: 'Requests of sites for a password by HTTP that people were asked about' },
} as const satisfies Manifest<typeof protocol>;
