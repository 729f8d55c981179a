import { PLUGIN_API } from '../../core/contracts/manifest.ts';
import type { Manifest } from '../../core/contracts/manifest.ts';

export const manifest = {
  id: 'files',
  version: '1.0.0',
  api: PLUGIN_API,
  description: 'Keeps files that people download, encrypted and for a while, and serves them',
  capability: 'files',
  activation: 'idle',
  provides: ['files.desk'],
  routes: [
    'GET /safeview-fileserv/tc_status',
    'POST /safeview-fileserv/tc_status',
    'POST /safeview-fileserv/tc_processing',
    'GET /safeview-fileserv/tc_download/*',
  ],
  storage: true,
  metrics: {
    stored: 'Files that were stored whole',
    bytes: 'Bytes of these files',
    served: 'Files that were served, parts of them included',
  },
} as const satisfies Manifest;
