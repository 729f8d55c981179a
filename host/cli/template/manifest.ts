import { PLUGIN_API } from 'vitrine/manifest';
import type { Manifest } from 'vitrine/manifest';
import * as protocol from './protocol.ts';

export const manifest = {
  id: 'my-plugin',
  version: '0.1.0',
  api: PLUGIN_API,
  description: 'Shows how many links the page has',
  activation: 'first-use',
  protocol,
  slots: ['overlay.panel'],
} as const satisfies Manifest<typeof protocol>;
