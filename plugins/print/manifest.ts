import { PLUGIN_API } from '../../core/contracts/manifest.ts';
import type { Manifest } from '../../core/contracts/manifest.ts';
import * as protocol from './protocol.ts';

export const manifest = {
  id: 'print',
  version: '1.0.0',
  api: PLUGIN_API,
  description: 'Prints the page: asks for options, shows a preview from the surrogate, and prints that in the browser',
  capability: 'print',
  activation: 'first-use',
  protocol,
  slots: ['print.dialog'],
  hooks: ['tabActions'],
  provides: ['print.page-printer', 'print.turn'],
  routes: ['GET /r/print'],
  permissions: { cdp: ['Page.printToPDF'] },
  options: {
    'max-document': {
      kind: 'number',
      unit: 'MIB',
      min: 1,
      max: 128,
      fallback: 64,
      about: 'largest document that people may print, in MiB',
    },
  },
  metrics: {
    documents: 'Documents made for printing, previews included',
    bytes: 'Bytes of these documents',
  },
  settings: {
    site_capabilities: {
      print_enabled: { kind: 'allowance', fallback: true, about: 'Let people print', client: ['print_enabled'] },
    },
  },
} as const satisfies Manifest<typeof protocol>;
