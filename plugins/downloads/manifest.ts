import { PLUGIN_API } from '../../core/contracts/manifest.ts';
import type { Manifest } from '../../core/contracts/manifest.ts';
import * as protocol from './protocol.ts';

export const manifest = {
  id: 'downloads',
  version: '1.0.0',
  api: PLUGIN_API,
  description: 'Saves what pages download: takes it from the surrogate, and has the browser of the person save it',
  capability: 'downloads',
  activation: 'first-use',
  protocol,
  slots: ['overlay.panel', 'downloads.refused', 'downloads.password'],
  provides: ['downloads.list', 'vitrine.person-downloads'],
  permissions: { cdp: ['Page.createIsolatedWorld', 'Runtime.evaluate'], extension: ['downloads'] },
  metrics: {
    started: 'Downloads that pages have started',
    finished: 'Downloads that have arrived whole',
    refused: 'Downloads that the policy does not allow',
    blocked: 'Downloads that were blocked for what is in them',
    quarantined: 'Downloads that were put into quarantine',
    failed: 'Downloads that have ended before they were whole',
  },
  eventFiles: {
    transfers:
      'Each download: its site, name, size, type, SHA-256, what scanners say, the rule that matches, and how it ended',
  },
  settings: {
    transfers: {
      downloads: { kind: 'allowance', fallback: true, about: 'Let people download' },
      max_download_megabytes: {
        kind: 'bound',
        min: 1,
        max: 1_000_000,
        integer: true,
        fallback: 4096,
        about: 'Largest file that people may download, in MiB',
      },
      keep_minutes: {
        kind: 'bound',
        min: 1,
        max: 10_080,
        integer: true,
        fallback: 60,
        about: 'Time for which a download can be saved once more, in minutes; it ends with the session in any case',
      },
    },
  },
} as const satisfies Manifest<typeof protocol>;
