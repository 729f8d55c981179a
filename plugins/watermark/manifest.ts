import { PLUGIN_API } from '../../core/contracts/manifest.ts';
import type { Manifest } from '../../core/contracts/manifest.ts';
import * as protocol from './protocol.ts';

export const manifest = {
  id: 'watermark',
  version: '1.0.0',
  api: PLUGIN_API,
  description: 'Lays a faint text over the page, where policy has one: who looks at it, and when',
  activation: 'first-use',
  provides: ['vitrine.page-mark'],
  protocol,
  settings: {
    watermark: {
      text: {
        kind: 'text',
        about: 'Text that is laid over the page, faintly; {user} stands for who looks at it, {time} for when',
      },
      print: { kind: 'demand', fallback: false, about: 'Lay it over what is printed, too' },
    },
  },
} as const satisfies Manifest<typeof protocol>;
