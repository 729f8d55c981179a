import { PLUGIN_API } from '../../core/contracts/manifest.ts';
import type { Manifest } from '../../core/contracts/manifest.ts';
import * as protocol from './protocol.ts';

export const manifest = {
  id: 'favicon-title',
  version: '1.0.0',
  api: PLUGIN_API,
  description: "Gives the local tab the page's title and icon",
  activation: 'first-use',
  protocol,
} as const satisfies Manifest<typeof protocol>;
