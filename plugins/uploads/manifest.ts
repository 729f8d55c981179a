import { PLUGIN_API } from '../../core/contracts/manifest.ts';
import type { Manifest } from '../../core/contracts/manifest.ts';
import * as protocol from './protocol.ts';

export const manifest = {
  id: 'uploads',
  version: '1.0.0',
  api: PLUGIN_API,
  description: 'Gives pages the files that people choose: has them sent to the host, judged, and put into the page',
  capability: 'uploads',
  activation: 'idle',
  requires: ['vitrine.input'],
  protocol,
  slots: ['overlay.panel', 'uploads.confirm', 'uploads.notice', 'uploads.password'],
  provides: ['uploads.running', 'vitrine.pasted-files'],
  routes: ['POST /r/upload'],
  permissions: {
    cdp: [
      'Page.fileChooserOpened',
      'Page.createIsolatedWorld',
      'DOM.describeNode',
      'DOM.resolveNode',
      'Runtime.evaluate',
      'Runtime.callFunctionOn',
    ],
  },
  metrics: {
    asked: 'File choosers that pages have opened',
    dropped: 'Drops of files over pages that take them',
    pasted: 'Pastes of files',
    given: 'Files that pages were given',
    refused: 'File choosers that the policy does not allow',
    blocked: 'Files that were blocked',
    quarantined: 'Files that were put into quarantine',
    failed: 'Uploads that have ended before the page had the files',
  },
  eventFiles: {
    transfers:
      'Each file of an upload: its site, name, size, type, SHA-256, what scanners say, the rule that matches, and how it ended',
  },
  settings: {
    transfers: {
      uploads: { kind: 'allowance', fallback: true, about: 'Let people upload' },
      max_upload_megabytes: {
        kind: 'bound',
        min: 1,
        max: 1_000_000,
        integer: true,
        fallback: 4096,
        about: 'Largest file that people may upload, in MiB',
      },
      max_files: {
        kind: 'bound',
        min: 1,
        max: 400,
        integer: true,
        fallback: 200,
        about: 'Files that people may upload at once',
      },
    },
  },
} as const satisfies Manifest<typeof protocol>;
