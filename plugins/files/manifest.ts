import { PLUGIN_API } from '../../core/contracts/manifest.ts';
import type { Manifest } from '../../core/contracts/manifest.ts';

/** A MIME type with `*` for any characters, an extension, or a group. */
const TYPE = String.raw`[a-z0-9!#$&^_.+*-]{1,100}\/[a-z0-9!#$&^_.+*-]{1,100}|\.[a-z0-9_+-]{1,20}(?:\.[a-z0-9_+-]{1,20})?|documents|archives|executables|scripts|images|audio|video|markup|text|fonts|other`;
const WRITE_TYPE =
  'write a MIME type such as image/*, an extension such as .exe, or documents, archives, executables, scripts, images, audio, video, markup, text, fonts or other, in lower case';

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
  verbs: ['scanners', 'list', 'release', 'delete'],
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
      quarantine_days: {
        kind: 'bound',
        min: 0,
        max: 365,
        integer: true,
        fallback: 0,
        about:
          'Time for which infected files, and those of rules, are kept for administrators, in days; 0: they are deleted',
      },
      rules: {
        kind: 'records',
        max: 500,
        about: 'What becomes of files by type, size and site; of all rules that match the strictest one decides',
        fields: {
          action: {
            kind: 'choice',
            values: ['allow', 'quarantine', 'block'],
            required: true,
            about: 'What becomes of the file',
          },
          on: { kind: 'choice', values: ['download', 'upload', 'both'], about: 'Way of the file; both unless given' },
          types: { kind: 'words', pattern: TYPE, write: WRITE_TYPE, about: 'Types of which the file is one' },
          not_types: { kind: 'words', pattern: TYPE, write: WRITE_TYPE, about: 'Types of which the file is none' },
          over_megabytes: { kind: 'number', min: 0, max: 1_000_000, about: 'Size that the file is past, in MiB' },
          sites: { kind: 'sites', about: 'Pages that the file comes from or goes to, or addresses of the file' },
          message: { kind: 'text', about: 'Text for the person' },
        },
      },
    },
  },
  metrics: {
    stored: 'Files that were stored whole',
    bytes: 'Bytes of these files',
    judged: 'Files whose type was found out, and which were scanned where the policy says so',
    quarantined: 'Files that were put into quarantine',
    served: 'Files that were served, parts of them included',
  },
} as const satisfies Manifest;
