import { PLUGIN_API } from '../../core/contracts/manifest.ts';
import type { Manifest } from '../../core/contracts/manifest.ts';

export const manifest = {
  id: 'context-menu',
  version: '1.0.0',
  api: PLUGIN_API,
  description: 'Keeps the context menu from the person where policy says so, and says why',
  activation: 'idle',
  slots: ['overlay.notice'],
  requires: ['vitrine.renderer'],
} as const satisfies Manifest;
