import { PLUGIN_API } from '../../core/contracts/manifest.ts';
import type { Manifest } from '../../core/contracts/manifest.ts';

export const manifest = {
  id: 'reconnect',
  version: '1.0.0',
  api: PLUGIN_API,
  description: 'Reloads a tab that has lost its session, and shows when',
  // Not on first use: at that time the host, which serves it, is down.
  activation: 'idle',
  slots: ['overlay.banner'],
  hooks: ['detached'],
  settings: {
    client_capabilities: {
      enable_reconnect_banner: { kind: 'flag', fallback: true, about: 'Show a notice while reconnecting' },
    },
  },
} as const satisfies Manifest;
