import { PLUGIN_API } from '../../core/contracts/manifest.ts';
import type { Manifest } from '../../core/contracts/manifest.ts';

export const manifest = {
  id: 'login',
  version: '1.0.0',
  api: PLUGIN_API,
  description: "Authenticates the person at the service's other hosts, and lets them sign in again",
  activation: 'idle',
  slots: ['overlay.banner'],
  requires: ['vitrine.renderer'],
} as const satisfies Manifest;
