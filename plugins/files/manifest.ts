import { PLUGIN_API } from '../../core/contracts/manifest.ts';
import type { Manifest } from '../../core/contracts/manifest.ts';

export const manifest = {
  id: 'files',
  version: '1.0.0',
  api: PLUGIN_API,
  description:
    'Keeps files that people download and upload, encrypted and for a while, has them scanned, and serves them',
  capability: 'files',
  activation: 'idle',
  provides: ['vitrine.file-desk'],
  routes: [
    'GET /safeview-fileserv/tc_status',
    'POST /safeview-fileserv/tc_status',
    'POST /safeview-fileserv/tc_processing',
    'GET /safeview-fileserv/tc_download/*',
  ],
  verbs: ['scanners'],
  storage: true,
  options: {
    scanner: {
      kind: 'texts',
      flag: 'scanner',
      only: 'service',
      value: 'SCANNER',
      pattern: String.raw`clamd:\/[^\0,]{1,106}|clamd:[\w.:[\]-]{1,260}:\d{1,5}|icap:\/\/[\w.:[\]-]{1,260}\/[\w.~\/?&=;%+-]{1,200}`,
      about: 'scanner of files of people: clamd:SOCKET, clamd:HOST:PORT or icap://HOST:PORT/SERVICE',
    },
  },
  settings: {
    transfers: {
      scan: {
        kind: 'ranked',
        values: ['off', 'if_there', 'required'],
        fallback: 'if_there',
        about:
          'Scan files of people: off; if_there: by the scanners of the host, if it has any; required: not without one',
      },
      scan_failure: {
        kind: 'ranked',
        values: ['allow', 'block'],
        fallback: 'block',
        about:
          'What becomes of a file that a scanner could not scan: it is too large, or of a kind that it does not read',
      },
      encrypted: {
        kind: 'ranked',
        values: ['allow', 'ask', 'block'],
        fallback: 'ask',
        about: 'What becomes of an encrypted file; ask: people say its password, so that it can be scanned',
      },
    },
  },
  metrics: {
    stored: 'Files that were stored whole',
    bytes: 'Bytes of these files',
    judged: 'Files whose type was found out, and which were scanned where the policy says so',
    served: 'Files that were served, parts of them included',
  },
} as const satisfies Manifest;
