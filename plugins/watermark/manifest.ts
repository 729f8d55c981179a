import { PLUGIN_API } from '../../core/contracts/manifest.ts';
import type { Manifest } from '../../core/contracts/manifest.ts';
import * as protocol from './protocol.ts';

export const manifest = {
  id: 'watermark',
  version: '1.0.0',
  api: PLUGIN_API,
  description: 'Shows a faint text over the page, where the policy has one: the person and the time',
  activation: 'first-use',
  provides: ['vitrine.page-mark'],
  protocol,
  settings: {
    watermark: {
      text: {
        kind: 'text',
        about: 'Faint text over the page; {user} is replaced by the person, {time} by the time',
      },
      print: { kind: 'demand', fallback: false, about: 'Also show it on printed pages', needs: 'watermark.text' },
    },
  },
} as const satisfies Manifest<typeof protocol>;
