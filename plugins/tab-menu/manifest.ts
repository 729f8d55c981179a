import { PLUGIN_API } from '../../core/contracts/manifest.ts';
import type { Manifest } from '../../core/contracts/manifest.ts';
import * as protocol from './protocol.ts';

export const manifest = {
  id: 'tab-menu',
  version: '1.0.0',
  api: PLUGIN_API,
  description: 'Shows a menu of what people can do with the tab: by a key, by two fingers, or by a button',
  capability: 'tab_menu',
  activation: 'idle',
  protocol,
  slots: ['tab-menu.menu', 'overlay.panel'],
  settings: {
    session: {
      tab_menu_button: { kind: 'flag', fallback: false, about: 'Show a button over the page that opens the tab menu' },
    },
  },
} as const satisfies Manifest<typeof protocol>;
